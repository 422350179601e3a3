/* Solids of few triangles with clean edges: what links are made of. Parts are merged into one geometry with a colour at
 * each vertex, so that a link is one draw call. */
import { BufferAttribute, BufferGeometry, Matrix4, Vector3 } from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

const SIDES = 24;

function geometryOf(positions, normals, index) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(positions), 3));
    geometry.setAttribute("normal", new BufferAttribute(Float32Array.from(normals), 3));
    geometry.setIndex(index);
    return geometry;
}

/* Turned about z: profile [[radius, z], ...] from the bottom up. Each piece has normals of its own (edges stay sharp)
 * unless `smooth`, where they are those of a sphere about the middle. */
export function turned(profile, { sides = SIDES, smooth = false } = {}) {
    const positions = [], normals = [], index = [];
    for (let i = 0; i + 1 < profile.length; i++) {
        const [r0, z0] = profile[i], [r1, z1] = profile[i + 1];
        const slope = Math.hypot(r1 - r0, z1 - z0) || 1, first = positions.length / 3;
        for (let k = 0; k <= sides; k++) {
            const c = Math.cos((2 * Math.PI * k) / sides), s = Math.sin((2 * Math.PI * k) / sides);
            for (const [r, z] of [[r0, z0], [r1, z1]]) {
                const size = Math.hypot(r, z) || 1;
                const [out, up] = smooth ? [r / size, z / size] : [(z1 - z0) / slope, (r0 - r1) / slope];
                positions.push(r * c, r * s, z);
                normals.push(out * c, out * s, up);
            }
        }
        for (let k = 0; k < sides; k++) {
            const a = first + 2 * k;
            if (r0 > 0) index.push(a, a + 2, a + 1);
            if (r1 > 0) index.push(a + 2, a + 3, a + 1);
        }
    }
    return geometryOf(positions, normals, index);
}

/* Along z about the origin, edges broken by `bevel`. */
export function cylinder(radius, length, { bevel = 0.12 * Math.min(radius, length), sides = SIDES } = {}) {
    const h = length / 2, b = Math.min(bevel, radius / 2, h / 2);
    return turned([[0, -h], [radius - b, -h], [radius, b - h], [radius, h - b], [radius - b, h], [0, h]], { sides });
}

/* A bar from the origin to z = length that gets thinner, with round ends. */
export function taper(from, to, length, sides = 16) {
    return turned([[0, -from * 0.6], [from * 0.75, -from * 0.4], [from, 0], [to, length], [to * 0.75, length + to * 0.4],
        [0, length + to * 0.6]], { sides });
}

export function ball(radius, { sides = SIDES, rings = 12 } = {}) {
    const profile = [];
    for (let i = 0; i <= rings; i++) {
        const angle = Math.PI * (i / rings - 0.5);
        profile.push([i % rings === 0 ? 0 : radius * Math.cos(angle), radius * Math.sin(angle)]);
    }
    return turned(profile, { sides, smooth: true });
}

export function ring(radius, thick, sides = SIDES) {
    const h = thick / 2, b = thick / 5;
    const outer = radius + h, inner = radius - h;
    return turned([[inner, b - h], [inner + b, -h], [outer - b, -h], [outer, b - h], [outer, h - b], [outer - b, h],
        [inner + b, h], [inner, h - b], [inner, b - h]], { sides });
}

const cornerSigns = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));

/* The polygons of a box with broken edges: 6 faces, 12 edges, 8 corners, as lists of points. */
function boxPolygons(half, bevel) {
    const point = (signs, full) => half.map((h, i) => signs[i] * (i === full ? h : h - bevel));
    const polygons = cornerSigns.map((signs) => [0, 1, 2].map((full) => point(signs, full)));
    for (let a = 0; a < 3; a++) {
        const b = (a + 1) % 3, c = (a + 2) % 3;
        for (const s of [-1, 1]) {
            const around = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
            const sign = (x, y) => [0, 1, 2].map((i) => (i === a ? s : i === b ? x : y));
            polygons.push(around.map(([x, y]) => point(sign(x, y), a)));
            for (const x of [-1, 1]) {
                const low = sign(x, -1), high = sign(x, 1);
                polygons.push([point(low, a), point(high, a), point(high, b), point(low, b)]);
            }
        }
    }
    return polygons;
}

/* Flat polygons of a convex body about the origin; turned outward. */
function faceted(polygons) {
    const positions = [], normals = [], index = [];
    const [a, b, c, n] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
    for (const given of polygons) {
        a.fromArray(given[0]);
        n.crossVectors(b.fromArray(given[1]).sub(a), c.fromArray(given[2]).sub(a)).normalize();
        const points = n.dot(a) < 0 ? given.slice().reverse() : given;
        if (n.dot(a) < 0) n.negate();
        const first = positions.length / 3;
        for (const point of points) {
            positions.push(...point);
            normals.push(n.x, n.y, n.z);
        }
        for (let i = 2; i < points.length; i++) index.push(first, first + i - 1, first + i);
    }
    return geometryOf(positions, normals, index);
}

export function box(size, bevel = 0.06 * Math.min(...size)) {
    return faceted(boxPolygons(size.map((x) => x / 2), bevel));
}

const MOST_SMOOTHED = 60000; /* triangles; larger meshes are fine enough to look smooth, and finding neighbours takes time */

/* Normals of triangles, their lengths twice the areas: 3 numbers each. */
function faceNormals(data, count) {
    const face = new Float32Array(3 * count);
    for (let t = 0; t < count; t++) {
        const d = data.subarray(9 * t, 9 * t + 9);
        const u = [d[3] - d[0], d[4] - d[1], d[5] - d[2]], w = [d[6] - d[0], d[7] - d[1], d[8] - d[2]];
        face.set([u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]], 3 * t);
    }
    return face;
}

/* Which triangles meet at a corner: a function of the corner's place in the data. */
function meetings(data, count) {
    const found = new Map(), key = (i) => `${data[i]},${data[i + 1]},${data[i + 2]}`;
    for (let i = 0; i < 9 * count; i += 3) {
        const at = key(i), t = Math.floor(i / 9);
        if (found.has(at)) found.get(at).push(t);
        else found.set(at, [t]);
    }
    return (i) => found.get(key(i));
}

/* Triangles, 9 numbers each. Normals are those of the faces, averaged where faces that meet at a point differ by less
 * than about 35 degrees. */
export function triangles(data) {
    const count = Math.floor(data.length / 9), normals = new Float32Array(9 * count);
    const face = faceNormals(data, count), smooth = count <= MOST_SMOOTHED, meet = smooth ? meetings(data, count) : null;
    const own = new Vector3(), other = new Vector3(), sum = new Vector3();
    for (let i = 0; i < 9 * count; i += 3) {
        const t = Math.floor(i / 9);
        own.fromArray(face, 3 * t).normalize();
        sum.set(0, 0, 0);
        for (const near of smooth ? meet(i) : [t]) {
            other.fromArray(face, 3 * near);
            if (other.dot(own) >= 0.82 * other.length()) sum.add(other);
        }
        (sum.lengthSq() > 0 ? sum.normalize() : own).toArray(normals, i);
    }
    return geometryOf(data.subarray(0, 9 * count), normals, Array.from({ length: 3 * count }, (_, i) => i));
}

/* A part in its place and colour (Color, or a list of 3). */
export function painted(geometry, color, matrix = new Matrix4()) {
    const part = geometry.clone().applyMatrix4(matrix);
    const count = part.attributes.position.count, colors = new Float32Array(3 * count);
    const rgb = color.isColor ? [color.r, color.g, color.b] : color;
    for (let i = 0; i < count; i++) colors.set(rgb, 3 * i);
    part.setAttribute("color", new BufferAttribute(colors, 3));
    return part;
}

/* One geometry of all parts, null when there are none. */
export function merged(parts) {
    return parts.length ? mergeGeometries(parts) : null;
}
