/* Geometry that model files describe: boxes, cylinders, spheres and meshes, as parts of a link. */
import { Color, Matrix4, SRGBColorSpace } from "three";
import { numbersOf } from "../base64.js";
import { ball, box, cylinder, painted, triangles } from "./solids.js";
import { matrixOf } from "./place.js";

const cornersOf = ({ data, triangles: count }) =>
    typeof data === "string" ? numbersOf(data, Float32Array, 9 * count) : data;

/* The longest edge of the box around a shape, m; 0 for a mesh that was not found. */
export function longest({ kind, size, mesh }, meshes) {
    if (kind === "sphere") return 2 * size[0];
    if (kind !== "mesh") return Math.max(...size.map(Math.abs));
    if (!meshes?.[mesh]) return 0;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    cornersOf(meshes[mesh]).forEach((x, i) => {
        low[i % 3] = Math.min(low[i % 3], x);
        high[i % 3] = Math.max(high[i % 3], x);
    });
    return Math.max(0, ...size.map((scale, k) => Math.abs(scale) * (high[k] - low[k])));
}

/* Triangles of a mesh, scaled; a mirroring scale turns them over, or they would be lit from inside. */
function meshGeometry(mesh, scale) {
    const given = cornersOf(mesh);
    const placed = given.map((x, i) => x * scale[i % 3]);
    if (scale[0] * scale[1] * scale[2] < 0) {
        for (let t = 0; t + 8 < placed.length; t += 9) {
            const last = placed.slice(t + 6, t + 9);
            placed.copyWithin(t + 6, t + 3, t + 6);
            placed.set(last, t + 3);
        }
    }
    return triangles(placed);
}

function geometryOf({ kind, size, mesh }, meshes) {
    if (kind === "box") return box(size.map(Math.abs));
    if (kind === "cylinder") return cylinder(size[0], size[1]);
    if (kind === "sphere") return ball(size[0]);
    return meshes?.[mesh] ? meshGeometry(meshes[mesh], size) : null;
}

const WHITE = new Color(1, 1, 1);

export function colorOf(rgba, fallback, lift = 0) {
    if (!rgba) return fallback;
    const color = new Color().setRGB(rgba[0], rgba[1], rgba[2], SRGBColorSpace);
    const dark = 1 - Math.max(color.r, color.g, color.b);
    return color.lerp(WHITE, lift * dark ** 4);
}

/* The part of a shape in the axes of its link (or about its own origin, for one that moves by itself); null when there
 * is nothing to draw, such as a mesh that was not found. */
export function shapePart(shape, meshes, { metal, lift }, alone = false) {
    const geometry = geometryOf(shape, meshes);
    if (!geometry) return null;
    return painted(geometry, colorOf(shape.color, metal, lift), alone ? new Matrix4() : matrixOf(shape.pose));
}

export const alphaOf = (shape) => shape.color?.[3] ?? 1;
