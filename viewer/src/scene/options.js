/* What may be drawn, and what is at first. */
export const DEFAULT_OPTIONS = {
    frames: false, // axes of the named frames; "all": of links too
    labels: false, // names beside the axes (of links when frames are off)
    trails: [], // names of links and frames whose path is drawn
    exaggerate: 1, // factor of elastic coordinates; 1: true scale
    deformation: false, // colours elastic links by how far they are bent
    arrows: false, // forces in joints; "moments": moments as well
    arrowScale: "log", // three decades long, since peaks would hide the rest; or "linear"
    inertia: false, // ellipsoids of inertia
    ghost: true, // the second recording, translucent
    ground: true,
    loops: true, // rings at loop joints, rods
};
