// The same robot with meshes in two formats is the same picture.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { changed, frames, openFile, startBrowser } from "./browser.js";
import { report, simulate } from "./recordings.js";

const [SAME, OTHER] = [20, 100]; // points of a picture: what edges may do, what something drawn does

let browser, where;
before(async () => {
    browser = await startBrowser();
    where = mkdtempSync(join(tmpdir(), "zveno page "));
});
after(async () => {
    await browser.close();
    rmSync(where, { recursive: true, force: true });
});

// a wedge on its long side, in metres
const corners = [[0, -0.1, 0], [0.6, -0.1, 0], [0, 0.1, 0], [0.6, 0.1, 0], [0, -0.1, 0.3], [0, 0.1, 0.3]];
const faces = [[0, 2, 3, 1], [0, 4, 5, 2], [4, 1, 3, 5], [0, 1, 4], [2, 5, 3]];
const triangles = faces.flatMap((f) => f.slice(2).map((_, i) => [f[0], f[i + 1], f[i + 2]]));

const stl = () =>
    `solid wedge\n${triangles.map((t) => `facet normal 0 0 0\nouter loop\n${t.map((c) => `vertex ${corners[c].join(" ")}`).join("\n")}\nendloop\nendfacet`).join("\n")}\nendsolid\n`;

/** In millimetres, lying on its side about x and turned back by the node of the scene; polygons as they are. */
function dae() {
    const lying = corners.map(([x, y, z]) => [x, z, -y].map((a) => 1000 * a));
    return `<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.001"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="f" count="${3 * lying.length}">${lying.flat().join(" ")}</float_array><technique_common>
<accessor source="#f" count="${lying.length}" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="${faces.length}"><input semantic="VERTEX" source="#v" offset="0"/>
<vcount>${faces.map((f) => f.length).join(" ")}</vcount><p>${faces.flat().join(" ")}</p></polylist>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node><rotate>1 0 0 90</rotate>
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`;
}

const robot = (mesh) => `<robot name="wedge"><link name="base"/><link name="arm"><inertial><origin xyz="0.2 0 0.1"/>
<mass value="2"/><inertia ixx="0.02" iyy="0.06" izz="0.06" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="${mesh}"/></geometry><material name="m"><color rgba="0.2 0.5 0.8 1"/></material></visual></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>`;

/** The canvas of the report of a robot with this mesh, at rest. */
async function picture(t, mesh) {
    const model = join(where, `${mesh}.urdf`);
    writeFileSync(model, robot(mesh));
    const recording = simulate(where, mesh, model, "duration: 0.1\ninitial: {q: {j: 0.5}}\noutput: {rate: 20, channels: [q]}\n");
    const { page, said, close } = await openFile(browser, report(where, [recording]).html);
    t.after(close);
    await frames(page, 2);
    await page.waitForFunction(() => window.zveno.atRest());
    const shot = (await page.locator("canvas").first().screenshot()).toString("base64");
    assert.deepEqual(said, []);
    return { page, shot };
}

test("a robot with Collada looks as with the same STL", async (t) => {
    writeFileSync(join(where, "wedge.stl"), stl());
    writeFileSync(join(where, "wedge.dae"), dae());
    const one = await picture(t, "wedge.stl"), other = await picture(t, "wedge.dae"), none = await picture(t, "gone.stl");
    assert.ok((await changed(one.page, one.shot, other.shot)) <= SAME);
    assert.ok((await changed(one.page, one.shot, none.shot)) > OTHER);
});
