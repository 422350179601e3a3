/* The floor: a disc that melts into the background, a grid that fades, and shadows of what stands above. */
import { BufferAttribute, BufferGeometry, DoubleSide, Group, LineSegments, Matrix4, Mesh, RingGeometry } from "three";
import { floorPaint } from "./paint.js";
import { still } from "./place.js";

const CELLS = 20; /* of the grid from its middle to its edge */
const PIECES = 10; /* of a line: it fades from one to the next */
const LIGHT = [-0.28, 0.36, -1]; /* the direction of the light that throws the shadows */

/* 1, 2 or 5 times a power of ten, near x. */
export function roundLength(x) {
    const power = 10 ** Math.floor(Math.log10(x));
    return power * [1, 2, 5, 10].reduce((best, k) => (Math.abs(k - x / power) < Math.abs(best - x / power) ? k : best));
}

/* Lines of the grid, every fifth one stronger; none beyond its round edge. */
function gridGeometry(cell) {
    const reach = CELLS * cell, points = [], weights = [];
    const add = (x0, y0, x1, y1, weight) => {
        if (Math.min(Math.hypot(x0, y0), Math.hypot(x1, y1)) >= reach) return;
        points.push(x0, y0, 0, x1, y1, 0);
        weights.push(weight, weight);
    };
    for (let i = -CELLS; i <= CELLS; i++) {
        for (let k = -PIECES; k < PIECES; k++) {
            const across = i * cell, from = (k * reach) / PIECES, to = ((k + 1) * reach) / PIECES;
            add(across, from, across, to, i % 5 === 0 ? 1 : 0.5);
            add(from, across, to, across, i % 5 === 0 ? 1 : 0.5);
        }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(points), 3));
    geometry.setAttribute("weight", new BufferAttribute(Float32Array.from(weights), 1));
    return geometry;
}

export class Ground {
    constructor(size) {
        const cell = roundLength(size / 8);
        this.reach = 0.5 * CELLS * cell;
        this.group = still(new Group());
        this.plain = floorPaint(this.reach, 0);
        this.lines = floorPaint(this.reach, 1, { defines: { FADING: "" } });
        this.shade = floorPaint(this.reach, 0.3, { side: DoubleSide });
        this.disc = still(new Mesh(new RingGeometry(0, this.reach, 48, 6), this.plain));
        this.grid = still(new LineSegments(gridGeometry(cell), this.lines));
        this.shadows = still(new Group());
        this.disc.renderOrder = -3;
        this.grid.renderOrder = -1;
        this.group.add(this.disc, this.grid, this.shadows);
        this.pairs = [];
    }

    /* Middle and height of the floor. Shadows are the meshes themselves, pressed flat along the light. */
    moveTo(x, y, z) {
        this.disc.matrix.makeTranslation(x, y, z);
        this.grid.matrix.makeTranslation(x, y, z);
        const a = -LIGHT[0] / LIGHT[2], b = -LIGHT[1] / LIGHT[2];
        this.shadows.matrix.set(1, 0, a, -a * z, 0, 1, b, -b * z, 0, 0, 0, z, 0, 0, 0, 1);
        for (const { uniforms } of [this.plain, this.lines, this.shade]) uniforms.middle.value.set(x, y);
    }

    /* Whose shadows are thrown. */
    shadow(meshes) {
        this.shadows.clear();
        this.pairs = meshes.filter((mesh) => !mesh.material.transparent).map((mesh) => {
            const dark = still(new Mesh(mesh.geometry, this.shade));
            dark.renderOrder = -2;
            this.shadows.add(dark);
            return { mesh, dark };
        });
    }

    /* After the meshes have been moved: their places in the world, before they are pressed flat. */
    update() {
        const world = (this.scratch ??= new Matrix4());
        for (const { mesh, dark } of this.pairs) {
            world.copy(mesh.matrix);
            for (let up = mesh.parent; up; up = up.parent) if (!up.matrixAutoUpdate) world.premultiply(up.matrix);
            dark.matrix.copy(world);
        }
    }

    paint({ ground, background, grid, shadow }) {
        for (const { uniforms } of [this.plain, this.lines, this.shade]) {
            uniforms.ground.value.copy(ground);
            uniforms.background.value.copy(background);
        }
        this.lines.color.copy(grid);
        this.shade.color.copy(shadow);
    }
}
