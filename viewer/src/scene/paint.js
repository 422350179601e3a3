/* Materials that are lit at the vertices: a sky, a key light and a weak fill. Software renderers pay for every point of the
 * picture, and these leave nothing to be computed there. */
import { Color, ShaderMaterial, Vector2 } from "three";

const DISPLAY = /* linear light to sRGB */ `
vec3 shown(vec3 c) {
    c = clamp(c, 0.0, 1.0);
    return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}`;

const LIT = `
uniform vec3 tint;
varying vec3 vShown;
${DISPLAY}
void main() {
    mat4 place = modelMatrix;
    vec3 n = normal;
#ifdef USE_INSTANCING
    place = modelMatrix * instanceMatrix;
    mat3 turn = mat3(instanceMatrix); /* scaled along its axes: normals by the inverse */
    n /= vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2]));
#endif
    n = normalize(mat3(place) * n);
    vec3 light = 0.62 * mix(vec3(0.23, 0.27, 0.33), vec3(1.0), 0.5 + 0.5 * n.z)
        + vec3(0.60, 0.57, 0.53) * max(dot(n, normalize(vec3(0.5, -0.7, 1.1))), 0.0)
        + vec3(0.12, 0.14, 0.16) * max(dot(n, normalize(vec3(-1.0, 0.6, 0.2))), 0.0);
    vec3 body = tint;
#ifdef USE_COLOR
    body *= color;
#endif
    vShown = shown(light * body);
    gl_Position = projectionMatrix * viewMatrix * place * vec4(position, 1.0);
}`;

/* The floor goes over from its own colour to that of the background; lines and shadows are mixed into it here, so that
 * nothing has to be blended. FADING: lines, which reach twice as far as the disc. */
const FLOOR = `
uniform vec3 tint, ground, background;
uniform vec2 middle;
uniform float reach, strength;
varying vec3 vShown;
${DISPLAY}
#ifdef FADING
attribute float weight;
#endif
void main() {
    vec4 place = modelMatrix * vec4(position, 1.0);
    float far = distance(place.xy, middle) / reach, share = strength;
#ifdef FADING
    share *= weight * clamp(1.0 - 0.5 * far, 0.0, 1.0);
#endif
    vShown = shown(mix(mix(background, ground, clamp(1.0 - far, 0.0, 1.0)), tint, share));
    gl_Position = projectionMatrix * viewMatrix * place;
}`;

const FRAGMENT = `
uniform float opacity;
varying vec3 vShown;
void main() { gl_FragColor = vec4(vShown, opacity); }`;

class Paint extends ShaderMaterial {
    constructor(vertexShader, { color, opacity = 1, uniforms = {}, ...options }) {
        const tint = { value: color ? color.clone() : new Color(1, 1, 1) };
        super({
            vertexShader, fragmentShader: FRAGMENT, uniforms: { ...uniforms, tint, opacity: { value: opacity } },
            transparent: opacity < 1, ...options,
        });
        this.color = tint.value;
    }
}

/* {color, opacity, vertexColors, and what materials of three take} */
export const litPaint = (options = {}) => new Paint(LIT, options);

/* Part of the floor: `strength` of its colour is mixed into that of the floor; uniforms ground, background and middle are to
 * be set. */
export function floorPaint(reach, strength, options = {}) {
    const values = { ground: new Color(), background: new Color(), middle: new Vector2(), reach, strength };
    const uniforms = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
    return new Paint(FLOOR, { uniforms, depthWrite: false, ...options });
}
