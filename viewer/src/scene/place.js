/* Between the numbers of kinematics.js and the matrices of three. */
import { Matrix4, Quaternion, Vector3 } from "three";

/* A pose {p, R} as a matrix. */
export function toMatrix(matrix, { p, R }) {
    return matrix.set(R[0], R[1], R[2], p[0], R[3], R[4], R[5], p[1], R[6], R[7], R[8], p[2], 0, 0, 0, 1);
}

export function matrixOf(pose) {
    return toMatrix(new Matrix4(), pose);
}

/* An object of three that is moved by matrices only. */
export function still(object) {
    object.matrixAutoUpdate = false;
    object.frustumCulled = false; /* what is drawn is in sight, mostly; spheres would have to be kept for nothing */
    return object;
}

const UP = new Vector3(0, 0, 1), toward = new Vector3(), at = new Vector3(), turn = new Quaternion(), scale = new Vector3();

/* Takes z to `direction` and the origin to `point`, scaled across and along. */
export function aimed(matrix, point, direction, across = 1, along = 1) {
    toward.set(direction[0], direction[1], direction[2]);
    if (toward.lengthSq() < 1e-30) toward.copy(UP);
    turn.setFromUnitVectors(UP, toward.normalize());
    at.set(point[0], point[1], point[2]);
    return matrix.compose(at, turn, scale.set(across, across, along));
}
