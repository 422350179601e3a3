/* zveno convert: writes a robot in the native format, URDF or MJCF, or a recording in another form. */
#include "kinds.h"
#include "recordings.h"
#include "robot.h"
#include "verb.h"
#include "verbs/native.h"

static Code run(const Args *args, Text *out) {
    if (is_recording(args->operand)) return recording_convert(args, out);
    Robot robot;
    Code code = native_check_output(args);
    if (code != CODE_DONE) return code;
    code = robot_read(args, &robot); /* a robot that no verb could use is not written either */
    if (code != CODE_DONE) return code;
    code = native_write(args, &robot, out);
    robot_free(&robot);
    return code;
}

const Verb verb_convert = {
    .name = "convert",
    .run = run,
    .options = (OPTIONS_MODEL & ~OPTION_MIMIC) | OPTION_OUTPUT | OPTION_FORMAT | OPTION_KEY,
    .needs_model = true,
    .form = "MODEL|RECORDING [-o FILE]",
    .summary = "write a robot as YAML, URDF or MJCF, a recording as HDF5 or CSV",
    .help =
        "Prints the native file (YAML), or writes FILE in the format of its suffix: .yaml and .yml native, .urdf, "
        ".xml\n"
        "(MJCF). Reading it again gives the same numbers; what URDF and MJCF cannot say is told.\n"
        "With --json prints {format, text, lost}, or {format, file, lost} when it went to a file; lost: [{severity,\n"
        "element, why, repair, count}].\n"
        "A recording (.h5, .hdf5, .csv) is written to FILE in the form of its suffix.\n"
        "\n"
        "Formats\n"
        "  native, urdf, mjcf; scenario (of an MJCF file: its actuators as drives, a keyframe as initial state)\n"
        "\n"
        "Example\n"
        "  zveno convert arm.urdf -o arm.yaml\n"
        "  zveno convert arm.yaml -o arm.xml\n"
        "  zveno convert arm.xml --format scenario -o arm-home.yaml\n"
        "  zveno convert run.h5 -o run.csv\n",
};
