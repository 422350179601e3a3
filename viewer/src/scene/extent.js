/* The space that robots need, for the camera and the floor. */
import { Box3, Vector3 } from "three";
import { matrixOf } from "./place.js";

const cornersOf = ({ min, max }) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z));

/* Corners of the boxes of the meshes, [{link, corners}], in the axes of the links that carry them: elastic links as bent as
 * they are now. */
function boxesOf(actor) {
    actor.update();
    actor.robot.group.updateMatrixWorld(true);
    return actor.robot.carried().map(({ mesh, link, swept }) => {
        const toLink = matrixOf(actor.robot.kinematics.links[link]).invert().multiply(mesh.matrixWorld);
        if (swept) return { link, corners: cornersOf(boxAlong(mesh.geometry, toLink)) };
        mesh.geometry.computeBoundingBox();
        return { link, corners: cornersOf(mesh.geometry.boundingBox).map((corner) => corner.applyMatrix4(toLink)) };
    });
}

/* Along the axes of the link: along those of the world a slanted beam would have a box as wide as it is long. */
function boxAlong({ attributes: { position } }, toLink) {
    const box = new Box3(), point = new Vector3();
    for (let i = 0; i < position.count; i++) box.expandByPoint(point.fromBufferAttribute(position, i).applyMatrix4(toLink));
    return box;
}

const placed = (boxes, poses) =>
    boxes.flatMap(({ link, corners }) => {
        const matrix = matrixOf(poses[link]);
        return corners.map((corner) => corner.clone().applyMatrix4(matrix));
    });

function presentPoints(actor, boxes) {
    const half = actor.model.size / 2;
    if (!boxes.length) return cornersOf(new Box3(new Vector3(-half, -half, -half), new Vector3(half, half, half)));
    return placed(boxes, actor.robot.kinematics.poses(actor.q, { exaggerate: actor.robot.exaggerate }));
}

/* Where the links and what they carry go in the recording. */
function sweptPoints(actor, boxes) {
    const points = [];
    actor.survey((poses) => {
        for (const { p } of poses) points.push(new Vector3().fromArray(p));
        points.push(...placed(boxes, poses));
    });
    return points.filter((point) => Number.isFinite(point.lengthSq()));
}

/* A robot that flies away is shown as it stands: the camera has to follow it. */
function spaceOf(actor) {
    const boxes = boxesOf(actor), now = presentPoints(actor, boxes), all = [...now, ...sweptPoints(actor, boxes)];
    const size = (points) => new Box3().setFromPoints(points).getSize(new Vector3()).length();
    const flies = size(all) > 4 * Math.max(size(now), actor.model.size);
    return { points: flies ? now : all, flies };
}

/* {points, box, floor, middle, flies}: points around all that is to be seen, the floor below it. */
export function extentOf(actors) {
    const spaces = actors.map(spaceOf), points = spaces.flatMap((space) => space.points);
    const box = new Box3().setFromPoints(points);
    const size = Math.max(...actors.map(({ model }) => model.size));
    const floor = Math.abs(box.min.z) < 0.03 * size ? 0 : box.min.z;
    return { points, box, floor, middle: box.getCenter(new Vector3()), flies: spaces[0].flies };
}

/* Whether the newest row of a recording that grows has a robot outside of an extent. */
export function outgrown(actors, { box, flies }) {
    const goes = ({ replays, recording }) => replays && recording.rows > 0;
    return !flies && actors.filter(goes).some((actor) => {
        const boxes = boxesOf(actor), { q } = actor.moment.at(actor.recording.time[actor.recording.rows - 1]);
        const poses = q ? actor.robot.kinematics.poses(q, { exaggerate: actor.robot.exaggerate }) : [];
        return q && placed(boxes, poses).some((point) => !box.containsPoint(point));
    });
}
