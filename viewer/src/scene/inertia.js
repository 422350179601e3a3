/* Ellipsoids of inertia: bodies of uniform density with the mass and moments of the links. */
import { Group, InstancedMesh, Matrix4, Vector3 } from "three";
import { litPaint } from "./paint.js";
import { matrixOf, still, toMatrix } from "./place.js";
import { ball } from "./solids.js";

export class Inertia {
    constructor(model) {
        this.links = model.links.map((link, i) => ({ link: i, ellipsoid: link.ellipsoid })).filter((x) => x.ellipsoid);
        this.shapes = this.links.map(({ ellipsoid }) =>
            matrixOf(ellipsoid).scale(new Vector3(...ellipsoid.axes.map((x) => Math.max(x, 1e-4 * model.size)))));
        const material = litPaint({ opacity: 0.42, depthWrite: false });
        this.mesh = still(new InstancedMesh(ball(1, { sides: 20, rings: 10 }), material, Math.max(this.links.length, 1)));
        this.mesh.renderOrder = 2;
        this.mesh.count = this.links.length;
        this.group = new Group().add(this.mesh);
        this.matrix = new Matrix4();
    }

    update(kinematics) {
        this.links.forEach(({ link }, i) => {
            this.mesh.setMatrixAt(i, toMatrix(this.matrix, kinematics.links[link]).multiply(this.shapes[i]));
        });
        this.mesh.instanceMatrix.needsUpdate = true;
    }

    paint(palette) {
        this.mesh.material.color.copy(palette.moment);
    }
}
