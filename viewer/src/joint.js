/* Joints: the pose of the child link in the joint frame, for the coordinates c of the joint. The joint frame is fixed
 * in the parent link; at c = 0 the child coincides with it, but for curves that begin elsewhere.
 *
 * How many coordinates a joint has, what they are called and their units come with the document, out of the engine's
 * table of joint types. How a type moves is written here a second time: the page computes poses itself, without a server
 * (ARCHITECTURE.md, "Decisions"), and the table's rows are C functions and flags that no public function lists. Tests
 * hold the poses of every type against the engine's (test/unit/kinematics_engine.test.js). */
import { makeCurve } from "./curve.js";
import { axisFrame, makePose, multiply, setIdentity, turnAxis, turnQuaternion, unit } from "./pose.js";

function slide(out, axis, distance) {
    for (let i = 0; i < 3; i++) out.p[i] = axis[i] * distance;
}

function makeTurn(axis) {
    return (out, c) => turnAxis(out.R, axis, c[0]);
}

function makeUniversal(axis, axis2) {
    const first = makePose().R, second = makePose().R;
    return (out, c) => {
        turnAxis(first, axis, c[0]);
        turnAxis(second, axis2, c[1]);
        multiply(out.R, first, second);
    };
}

function makePlanar(given, axis) {
    const Q = axisFrame(given);
    return (out, c) => {
        for (let i = 0; i < 3; i++) out.p[i] = Q[3 * i] * c[0] + Q[3 * i + 1] * c[1];
        turnAxis(out.R, axis, c[2]);
    };
}

/* A function (out, c) that changes an identity pose into that of the child. */
function makeMotion({ type, axis: given, axis2, pitch, curve }) {
    const axis = unit(given ?? [0, 0, 1]);
    switch (type) {
        case "revolute":
        case "continuous":
            return makeTurn(axis);
        case "prismatic":
            return (out, c) => slide(out, axis, c[0]);
        case "helical":
            return (out, c) => {
                turnAxis(out.R, axis, c[0]);
                slide(out, axis, pitch * c[0]);
            };
        case "cylindrical":
            return (out, c) => {
                turnAxis(out.R, axis, c[1]);
                slide(out, axis, c[0]);
            };
        case "universal":
            return makeUniversal(axis, unit(axis2));
        case "planar":
            return makePlanar(given, axis);
        case "spherical":
            return (out, c) => turnQuaternion(out.R, c, 0);
        case "free":
            return (out, c) => {
                turnQuaternion(out.R, c, 3);
                for (let i = 0; i < 3; i++) out.p[i] = c[i];
            };
        case "curve": {
            const at = makeCurve(curve);
            return (out, c) => at(c[0], out.p);
        }
        default:
            return () => {};
    }
}

/* A function (out, c) that writes the pose of the child in the joint frame. */
export function makeJoint(joint) {
    const motion = makeMotion(joint);
    return (out, c) => {
        setIdentity(out);
        motion(out, c);
    };
}
