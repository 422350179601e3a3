/* The space that robots need, for the camera and the floor. */
import { Box3, Vector3 } from "three";

const cornersOf = ({ min, max }) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z));

/* Corners of the boxes of the meshes as they stand. */
function presentPoints(actor) {
    actor.update();
    actor.robot.group.updateMatrixWorld(true);
    const points = actor.robot.meshes().flatMap((mesh) => {
        mesh.geometry.computeBoundingBox();
        return cornersOf(mesh.geometry.boundingBox).map((corner) => corner.applyMatrix4(mesh.matrixWorld));
    });
    const half = actor.model.size / 2;
    return points.length ? points : cornersOf(new Box3(new Vector3(-half, -half, -half), new Vector3(half, half, half)));
}

/* Where the links go in the recording. */
function sweptPoints(actor) {
    const points = [];
    actor.survey((poses) => poses.forEach(({ p }) => points.push(new Vector3().fromArray(p))));
    return points.filter((point) => Number.isFinite(point.lengthSq()));
}

/* A robot that flies away is shown as it stands: the camera has to follow it. */
function spaceOf(actor) {
    const now = presentPoints(actor), all = [...now, ...sweptPoints(actor)];
    const size = (points) => new Box3().setFromPoints(points).getSize(new Vector3()).length();
    const flies = size(all) > 4 * Math.max(size(now), actor.model.size);
    return { points: flies ? now : all, flies };
}

/* {points, floor, middle, flies}: points around all that is to be seen, the floor below it. */
export function extentOf(actors) {
    const spaces = actors.map(spaceOf), points = spaces.flatMap((space) => space.points);
    const box = new Box3().setFromPoints(points);
    const size = Math.max(...actors.map(({ model }) => model.size));
    const floor = Math.abs(box.min.z) < 0.03 * size ? 0 : box.min.z;
    return { points, floor, middle: box.getCenter(new Vector3()), flies: spaces[0].flies };
}
