/* Canvas, camera, lights and controls. Draws only when asked to: invalidate() asks. */
import { Color, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const REST = 250; /* ms */
const DIRECTIONS = { /* from the robot to the camera */
    front: [0, -1, 0.12], side: [1, 0, 0.12], top: [0, -0.001, 1], iso: [0.9, -1.25, 0.75],
};

/* Whether pictures are computed by the processor. Then moving ones are drawn plainly and those at rest finely. */
function drawsInSoftware() {
    const context = document.createElement("canvas").getContext("webgl2");
    if (!context) return false;
    const about = context.getExtension("WEBGL_debug_renderer_info");
    const name = context.getParameter(about ? about.UNMASKED_RENDERER_WEBGL : context.RENDERER);
    context.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(String(name));
}

function makeRenderer(software) {
    try {
        const renderer = new WebGLRenderer({ antialias: !software, powerPreference: "high-performance" });
        renderer.debug.checkShaderErrors = false; /* asking waits until every shader is linked */
        return renderer;
    } catch {
        return null;
    }
}

/* Frames per second over the last frames that followed each other without a rest. */
class Pace {
    constructor() {
        this.times = [];
    }

    tick(now) {
        if (now - (this.times[this.times.length - 1] ?? now) > 1500) this.times.length = 0;
        this.times.push(now);
        if (this.times.length > 60) this.times.shift();
    }

    get fps() {
        const count = this.times.length, span = this.times[count - 1] - this.times[0];
        return count > 1 && span > 0 ? (1000 * (count - 1)) / span : 0;
    }
}

/* Where the camera looks and from how far, so that all points are in its picture, with a margin: {target, distance}. */
function framing(camera, direction, points) {
    const tall = Math.tan((camera.fov * Math.PI) / 360) / 1.12, wide = tall * camera.aspect;
    const right = new Vector3().crossVectors(camera.up, direction).normalize();
    const axes = [right, new Vector3().crossVectors(direction, right), direction];
    const target = new Vector3();
    for (const axis of axes) {
        const along = points.map((point) => point.dot(axis));
        target.addScaledVector(axis, (along.reduce((a, b) => Math.min(a, b)) + along.reduce((a, b) => Math.max(a, b))) / 2);
    }
    let distance = 0;
    for (const point of points) {
        const [x, y, z] = axes.map((axis) => point.dot(axis) - target.dot(axis));
        distance = Math.max(distance, z + Math.abs(x) / wide, z + Math.abs(y) / tall);
    }
    return { target, distance };
}

export class Stage {
    /* beforeDraw(camera) is called ahead of each picture, afterDraw(camera, width, height) behind it. */
    constructor(container, { beforeDraw = () => {}, afterDraw = () => {} } = {}) {
        this.container = container;
        this.beforeDraw = beforeDraw;
        this.afterDraw = afterDraw;
        this.scene = new Scene();
        this.scene.matrixWorldAutoUpdate = false;
        this.scene.background = new Color();
        this.camera = new PerspectiveCamera(32, 1, 0.01, 100);
        this.camera.up.set(0, 0, 1);
        this.pace = new Pace();
        this.software = drawsInSoftware();
        this.renderer = makeRenderer(this.software);
        if (!this.renderer) {
            this.#apologize();
            return;
        }
        this.#openCanvas();
        this.#openControls();
    }

    get works() {
        return this.renderer !== null;
    }

    #apologize() {
        const note = this.container.ownerDocument.createElement("p");
        note.className = "scene-message";
        note.setAttribute("role", "status");
        note.textContent = "This browser shows no 3-D graphics (WebGL is missing or switched off). Plots and tables work.";
        this.container.append(note);
    }

    #openCanvas() {
        const canvas = this.renderer.domElement;
        canvas.setAttribute("role", "img");
        canvas.setAttribute("aria-label", "The robot in three dimensions; drag to turn, wheel to zoom");
        canvas.style.display = "block";
        canvas.style.touchAction = "none";
        canvas.addEventListener("webglcontextrestored", () => this.invalidate());
        this.ratio = this.software ? 1 : Math.min(globalThis.devicePixelRatio || 1, 2);
        this.renderer.setPixelRatio(this.ratio);
        this.container.append(canvas);
        this.watcher = new ResizeObserver(() => this.resize());
        this.watcher.observe(this.container);
        this.resize();
    }

    #openControls() {
        this.controls = new OrbitControls(this.camera, this.renderer.domElement);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.18;
        this.controls.zoomToCursor = true;
        this.controls.addEventListener("change", () => this.invalidate());
        this.controls.addEventListener("start", () => (this.goal = null));
    }

    resize() {
        const width = Math.max(this.container.clientWidth, 1), height = Math.max(this.container.clientHeight, 1);
        if (width === this.width && height === this.height) return;
        this.width = width;
        this.height = height;
        this.renderer.setSize(width, height);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        if (this.goal) this.look("fit", this.goal);
        this.draw(); /* at once: a canvas that changes its size is blank until drawn */
    }

    invalidate() {
        if (!this.works || this.asked) return;
        this.asked = requestAnimationFrame(() => {
            this.asked = 0;
            this.controls.update(); /* while it glides on it asks for the next picture */
            this.draw();
            if (this.software) this.#refineAtRest();
        });
    }

    /* Two points for each across and down, once nothing has moved for a while. */
    #refineAtRest() {
        clearTimeout(this.rest);
        this.rest = setTimeout(() => this.#drawFinely(), REST);
    }

    get atRest() {
        return !this.asked && (this.fine || !this.software);
    }

    #drawFinely() {
        this.renderer.setPixelRatio(Math.max(2, this.ratio));
        this.#render();
        this.fine = true;
    }

    draw() {
        this.pace.tick(performance.now());
        if (this.fine) this.renderer.setPixelRatio(this.ratio);
        this.fine = false;
        this.#render();
    }

    #render() {
        this.beforeDraw(this.camera);
        this.scene.updateMatrixWorld(true);
        this.camera.updateMatrixWorld();
        this.renderer.render(this.scene, this.camera);
        this.afterDraw(this.camera, this.width, this.height);
    }

    /* Keeps to something that flies away: the camera moves as it does. */
    follow(p) {
        if (!this.works) return;
        const step = (this.step ??= new Vector3()).fromArray(p);
        if (this.followed) {
            step.sub(this.followed);
            this.camera.position.add(step);
            this.controls.target.add(step);
            this.followed.add(step);
            if (step.lengthSq() > 0) this.goal = null; /* those points are left behind */
        } else this.followed = step.clone();
    }

    /* Turns the camera to points of space; "fit" keeps its direction. p: where what is to be followed is now. */
    look(name, points, p) {
        if (!this.works) return;
        if (p) this.followed = new Vector3().fromArray(p);
        this.goal = points; /* a new size of the window fits again, until somebody moves the camera */
        const now = new Vector3().subVectors(this.camera.position, this.controls.target);
        const direction = DIRECTIONS[name] ? new Vector3(...DIRECTIONS[name]) : now;
        if (direction.lengthSq() === 0) direction.set(...DIRECTIONS.iso);
        const { target, distance } = framing(this.camera, direction.normalize(), points);
        this.controls.target.copy(target);
        this.camera.position.copy(target).addScaledVector(direction, distance);
        this.camera.near = distance / 200;
        this.camera.far = 40 * distance;
        this.controls.minDistance = 0.02 * distance;
        this.controls.maxDistance = 20 * distance;
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.invalidate();
    }

    screenshot() {
        if (!this.works) return "data:,";
        this.#drawFinely();
        const picture = this.renderer.domElement.toDataURL("image/png");
        this.draw();
        return picture;
    }

    dispose() {
        if (!this.works) return;
        cancelAnimationFrame(this.asked);
        clearTimeout(this.rest);
        this.watcher.disconnect();
        this.controls.dispose();
        this.renderer.dispose();
        this.renderer.domElement.remove();
    }
}
