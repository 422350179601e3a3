/* Options: one table says their names, values and meaning; reading and help both go by it. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "zveno/document.h"

/* Which of two words it is: 0, 1, or -1. */
static int which(const char *value, const char *first, const char *second) {
    return !strcmp(value, first) ? 0 : !strcmp(value, second) ? 1 : -1;
}

static bool take_state(Args *args, const char *value) { return args->state = value, *value != '\0'; }
static bool take_method(Args *args, const char *value) { return args->method = value, true; }
static bool take_frame(Args *args, const char *value) { return args->frame = value, true; }
static bool take_output(Args *args, const char *value) { return args->output = value, *value != '\0'; }

static bool take_base(Args *args, const char *value) {
    const int choice = which(value, "fixed", "free");
    args->free_base = choice == 1;
    return choice >= 0;
}

static bool take_mimic(Args *args, const char *value) {
    const int choice = which(value, "couple", "free");
    args->mimic_free = choice == 1;
    return choice >= 0;
}

static bool take_axes(Args *args, const char *value) {
    const int choice = which(value, "world", "local");
    args->local_axes = choice == 1;
    return choice >= 0;
}

/* NAME=DIR; both have to be there. */
static bool take_package(Args *args, const char *value) {
    const char *equals = strchr(value, '=');
    if (args->package_count == MAX_CHANGES || !equals || equals == value || !equals[1]) return false;
    args->packages[args->package_count++] = value;
    return true;
}

/* xyz, rot, full, or rows such as x,y,rz, each once. */
static bool take_task(Args *args, const char *value) {
    static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz", "xyz", "rot", "full"};
    static const unsigned rows[] = {1, 2, 4, 8, 16, 32, 7, 56, 63};
    args->task = 0;
    for (;; value++) {
        const size_t length = strcspn(value, ",");
        size_t i = 0;
        while (i < 9 && (strlen(names[i]) != length || strncmp(names[i], value, length))) i++;
        if (i == 9 || args->task & rows[i]) return false;
        args->task |= rows[i];
        value += length;
        if (!*value) return true;
    }
}

/* A number in the forms that files have: no hexadecimal, a decimal point in every locale. */
static bool take_number(const char *start, size_t length, double *number) {
    char text[64];
    if (length >= sizeof text) return false;
    memcpy(text, start, length);
    text[length] = '\0';
    const zvNode node = {.kind = ZV_NODE_SCALAR, .text = text};
    return zv_node_number(&node, "the number", number, NULL) == ZV_OK;
}

static bool take_gravity(Args *args, const char *value) {
    for (int i = 0; i < 3; i++) {
        const size_t length = strcspn(value, ",");
        if (value[length] != (i < 2 ? ',' : '\0')) return false;
        if (!take_number(value, length, &args->gravity[i])) return false;
        value += length + 1;
    }
    return true;
}

static bool take_seconds(const char *value, double *seconds) { return take_number(value, strlen(value), seconds); }
static bool take_from(Args *args, const char *value) { return take_seconds(value, &args->from); }
static bool take_to(Args *args, const char *value) { return take_seconds(value, &args->to); }

static bool take_every(Args *args, const char *value) { return take_seconds(value, &args->every) && args->every > 0; }

static bool take_checkpoint(Args *args, const char *value) {
    return take_seconds(value, &args->checkpoint) && args->checkpoint > 0;
}

static bool take_channels(Args *args, const char *value) { return args->channels = value, *value != '\0'; }

static bool take_change(Args *args, const char *value) {
    if (args->change_count == MAX_CHANGES || value[0] == '=' || !strchr(value, '=')) return false;
    args->changes[args->change_count++] = value;
    return true;
}

static bool take_size(Args *args, const char *value) {
    enum { LEAST = 200, MOST = 20000 };
    char after;
    if (sscanf(value, "%5dx%5d%c", &args->width, &args->height, &after) != 2) return false;
    return args->width >= LEAST && args->height >= LEAST && args->width <= MOST && args->height <= MOST;
}

static bool take_joints(Args *args, const char *value) {
    const int choice = which(value, "free", "locked");
    args->joints = choice == 0 ? JOINTS_FREE : choice == 1 ? JOINTS_LOCKED : JOINTS_SPRUNG;
    return choice >= 0 || !strcmp(value, "sprung");
}

static bool take_motors(Args *args, const char *value) {
    const int choice = which(value, "free", "none");
    args->motors = choice == 0 ? MOTORS_FREE : choice == 1 ? MOTORS_NONE : MOTORS_LOCKED;
    return choice >= 0 || !strcmp(value, "locked");
}

/* The name may hold "=" as well: numbers do not. */
static bool take_load(Args *args, const char *value) {
    const char *number = strrchr(value, '=');
    if (args->load_count == MAX_LOADS || !number || number == value) return false;
    Load *load = &args->loads[args->load_count++];
    *load = (Load){.frame = value, .length = (int)(number - value)};
    for (int i = 0; i < 6; i++) {
        const size_t length = strcspn(++number, ",");
        if (!take_number(number, length, &load->wrench[i])) return false;
        number += length;
        if (!*number) return i == 2 || i == 5;
    }
    return false;
}

static bool take_count(Args *args, const char *value) {
    char after;
    return sscanf(value, "%9d%c", &args->count, &after) == 1 && args->count > 0;
}

static bool take_named(Args *args, const char *value) { return args->named = value, *value != '\0'; }

static bool take_guesses(Args *args, const char *value) {
    enum { MOST = 100000 };
    char after;
    return sscanf(value, "%9d%c", &args->guesses, &after) == 1 && args->guesses > 0 && args->guesses <= MOST;
}

static bool take_functions(Args *args, const char *value) { return args->functions = value, *value != '\0'; }
static bool take_name(Args *args, const char *value) { return args->name = value, true; }
static bool take_lanes(Args *args, const char *value) {
    const int choice = which(value, "4", "8");
    args->lanes = choice ? 8 : 4;
    return choice >= 0;
}
static bool take_symbols(Args *args, const char *value) { return args->symbols = value, *value != '\0'; }

static bool take_flexible(Args *args, const char *value) { return args->flexible = value, *value != '\0'; }

static bool take_moments(Args *args, const char *value) {
    args->origin_moments = !strcmp(value, "origin");
    return args->origin_moments || !strcmp(value, "com");
}

static bool take_language(Args *args, const char *value) { return args->language = value, true; }

/* N1:N2 */
static bool take_table(Args *args, const char *value) {
    char after;
    return sscanf(value, "%6d:%6d%c", &args->table_first, &args->table_last, &after) == 2;
}

static bool take_lock(Args *args, const char *value) { return args->lock = value, *value != '\0'; }
static bool take_plot(Args *args, const char *value) { return args->plot = value, *value != '\0'; }

static bool take_samples(Args *args, const char *value) {
    char after;
    return sscanf(value, "%9d%c", &args->samples, &after) == 1 && args->samples > 0;
}

/* Up to 2^53, which JSON holds exactly. */
static bool take_seed(Args *args, const char *value) {
    double seed;
    if (!take_number(value, strlen(value), &seed) || !(seed >= 0 && seed <= 0x1p53)) return false;
    args->seed = (uint64_t)seed;
    return (double)args->seed == seed;
}

static bool take_factor(Args *args, const char *value) {
    return take_number(value, strlen(value), &args->factor) && args->factor > 0;
}

static bool take_rounds(Args *args, const char *value) {
    enum { MOST = 10000 };
    char after;
    return sscanf(value, "%9d%c", &args->rounds, &after) == 1 && args->rounds > 0 && args->rounds <= MOST;
}

static bool take_cpu(Args *args, const char *value) {
    enum { MOST = 1023 };
    char after;
    return sscanf(value, "%9d%c", &args->cpu, &after) == 1 && args->cpu >= 0 && args->cpu <= MOST;
}

static bool take_golden(Args *args, const char *value) { return args->golden = value, *value != '\0'; }

static bool take_modes(Args *args, const char *value) { return args->modes = value, *value != '\0'; }

static bool take_meshes(Args *args, const char *value) {
    if (args->mesh_count == MAX_MESHES || !*value) return false;
    args->meshes[args->mesh_count++] = value;
    return true;
}

static bool take_port(Args *args, const char *value) {
    enum { MOST = 65535 };
    char after;
    return sscanf(value, "%9d%c", &args->port, &after) == 1 && args->port >= 0 && args->port <= MOST;
}

static bool take_listen(Args *args, const char *value) { return args->listen = value, *value != '\0'; }

static bool take_rows(Args *args, const char *value) {
    enum { LEAST = 10 };
    char after;
    return sscanf(value, "%9d%c", &args->rows, &after) == 1 && args->rows >= LEAST;
}

static bool take_title(Args *args, const char *value) { return args->title = value, true; }

static bool take_smoothing(Args *args, const char *value) {
    return take_number(value, strlen(value), &args->smoothing) && args->smoothing >= 0;
}

static bool take_format(Args *args, const char *value) { return args->format = value, *value != '\0'; }

static bool take_key(Args *args, const char *value) { return args->key = value, true; }

static bool take_spin(Args *args, const char *value) { return args->spin = value, strchr(value, '=') != NULL; }
static bool take_case(Args *args, const char *value) { return args->load_case = value, *value != '\0'; }

static bool take_brake(Args *args, const char *value) { return args->brake = value, *value != '\0'; }

static bool take_pose(Args *args, const char *value) {
    if (args->pose_count == MAX_LOADS) return false;
    args->poses[args->pose_count++] = value;
    return *value != '\0';
}

static bool take_path(Args *args, const char *value) { return args->path = value, *value != '\0'; }

static bool take_threads(Args *args, const char *value) {
    char after;
    return sscanf(value, "%4d%c", &args->threads, &after) == 1 && args->threads > 0;
}

static bool take_steps(Args *args, const char *value) {
    char after;
    return sscanf(value, "%9d%c", &args->steps, &after) == 1 && args->steps > 0;
}

static bool take_at(Args *args, const char *value) { return args->at = value, *value != '\0'; }
static bool take_inputs(Args *args, const char *value) { return args->inputs = value, *value != '\0'; }
static bool take_outputs(Args *args, const char *value) { return args->outputs = value, *value != '\0'; }
static bool take_reduce(Args *args, const char *value) { return args->reduce = value, *value != '\0'; }
static bool take_over(Args *args, const char *value) { return args->over = value, strchr(value, '=') != NULL; }
static bool take_show(Args *args, const char *value) { return args->show = value, *value != '\0'; }
static bool take_break(Args *args, const char *value) { return args->broken = value, *value != '\0'; }
static bool take_frequencies(Args *args, const char *value) {
    return args->frequencies = value, strchr(value, ':') != NULL;
}

static bool take_fail_on(Args *args, const char *value) {
    static const char *const words[] = {"error", "warning", "note", "never"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(value, words[i])) continue;
        args->fail_on = (FailOn)i;
        return true;
    }
    return false;
}

const Option options[] = {
    {OPTION_STATE, "--state", NULL, "FILE", take_state,
     "state, or list of states (JSON or YAML; - is standard input); without it the neutral state"},
    {OPTION_FRAME, "--frame", NULL, "NAME", take_frame, "the link or frame asked for"},
    {OPTION_AXES, "--axes", NULL, "world|local", take_axes, "axes of the 6-vectors (world unless told)"},
    {OPTION_TASK, "--task", NULL, "xyz|rot|x,rz", take_task,
     "rows of lambda, mu, rho: xyz, rot or some of x,y,z,rx,ry,rz (full: all, unless told)"},
    {OPTION_METHOD, "--method", NULL, "NAME", take_method, "another method (listed below)"},
    {OPTION_REACTIONS, "--reactions", NULL, NULL, NULL, "also the reactions in all joints"},
    {OPTION_PASSIVE, "--passive", NULL, NULL, NULL, "springs, damping and friction of the file act besides tau"},
    {OPTION_SMOOTHING, "--smoothing", NULL, "V", take_smoothing,
     "with --passive: dry friction goes with tanh(v/V), rad/s or m/s (0.01 unless told; 0: the sign of v)"},
    {OPTION_OUTPUT, "--output", "-o", "FILE", take_output, "write to FILE, replaced only when complete"},
    {OPTION_FOLDER, "--output", "-o", "DIR", take_output, "the folder to write into, made when it is not there"},
    {OPTION_BASE, "--base", NULL, "free|fixed", take_base, "free: a free joint above the root; overrides the file"},
    {OPTION_MIMIC, "--mimic", NULL, "couple|free", take_mimic,
     "couple (default): mimic joints follow; free: they are coordinates"},
    {OPTION_LOCK, "--lock", NULL, "j1,j2", take_lock, "joints that do not move: as if fixed, at zero"},
    {OPTION_GRAVITY, "--gravity", NULL, "x,y,z", take_gravity, "m/s^2; overrides the file"},
    {OPTION_PACKAGE, "--package", NULL, "NAME=DIR", take_package,
     "where a package of ROS is: $(find NAME), package://NAME; may be repeated"},
    {OPTION_SET, "--set", NULL, "KEY=VALUE", take_change,
     "change a value of the file, as in --set links.payload.mass=120 or --set integrator.rtol=1e-6; may be repeated"},
    {OPTION_PARAMETERS, "--parameters", NULL, NULL, NULL,
     "what --set can change: parameters and numbers, by their keys"},
    {OPTION_RESUME, "--resume", NULL, NULL, NULL, "go on with a run that was interrupted or killed"},
    {OPTION_RESTART, "--restart", NULL, NULL, NULL, "begin anew although an earlier run could be resumed"},
    {OPTION_ACCEPT_ENERGY_ERROR, "--accept-energy-error", NULL, NULL, NULL,
     "take a run although its energy is wrong: a warning instead of exit code 3"},
    {OPTION_CHECKPOINT, "--checkpoint", NULL, "SECONDS", take_checkpoint,
     "wall-clock time between checkpoints; overrides the scenario"},
    {OPTION_QUIET, "--quiet", NULL, NULL, NULL, "no progress on standard error"},
    {OPTION_CHANNELS, "--channels", NULL, "LIST", take_channels,
     "channels, or single entries of them: q,tau.joint1,\"pose tool\""},
    {OPTION_FROM, "--from", NULL, "T", take_from, "begin at this time, s"},
    {OPTION_TO, "--to", NULL, "T", take_to, "end at this time, s"},
    {OPTION_EVERY, "--every", NULL, "DT", take_every, "a row each so many seconds"},
    {OPTION_SIZE, "--size", NULL, "WxH", take_size, "pixels, 200x200 to 20000x20000; chosen to fit unless told"},
    {OPTION_AT, "--at", NULL, "T|FROM:TO:STEP", take_at,
     "time of the run, or times, s, about which to linearise (the start unless told)"},
    {OPTION_INPUTS, "--inputs", NULL, "LIST", take_inputs,
     "inputs: tau.elbow, disturbance.elbow, \"load tool.fx\", \"reference arm.elbow\" (tau of all driven joints)"},
    {OPTION_OUTPUTS, "--outputs", NULL, "LIST", take_outputs,
     "outputs: channels or single entries of them: q.elbow,\"pose tool.z\" (q unless told)"},
    {OPTION_REDUCE, "--reduce", NULL, "minimal|balanced:N", take_reduce,
     "a smaller system: without what inputs do not move and outputs do not show, or N balanced states"},
    {OPTION_SHOW, "--show", NULL, "LIST", take_show, "what to print (listed below)"},
    {OPTION_FREQUENCIES, "--frequencies", NULL, "FROM:TO", take_frequencies, "Hz; chosen by the poles unless told"},
    {OPTION_BREAK, "--break", NULL, "DRIVE.JOINT,...", take_break,
     "stability margins of the loop broken at these drives, one at a time"},
    {OPTION_OVER, "--over", NULL, "KEY=FROM:TO:N", take_over,
     "response: root locus, the poles for N values of this key of the scenario; map: coordinates and their values, "
     "j2=-90:90:5deg,j3=0.1 with steps, or one value; v.JOINT: a velocity"},
    {OPTION_JOINTS, "--joints", NULL, "free|locked|sprung", take_joints,
     "what the joints do; sprung: the file's springs and dampers act (chosen by the file unless told)"},
    {OPTION_MOTORS, "--motors", NULL, "free|locked|none", take_motors,
     "of flexible joints: free (unless told), locked by brakes (modes only), or none: the side of the links"},
    {OPTION_EQUILIBRIUM, "--equilibrium", NULL, NULL, NULL, "first find where the robot comes to rest, from the state"},
    {OPTION_LOAD, "--load", NULL, "FRAME=fx,fy,fz", take_load,
     "dead force on a frame, N (and mx,my,mz, N m), world axes; may be repeated"},
    {OPTION_FIRST, "--count", NULL, "N", take_count, "the first N modes only"},
    {OPTION_HOLD, "--hold", NULL, "j1,j2", take_named, "joints, or degrees of freedom, that must not move"},
    {OPTION_SPIN, "--spin", NULL, "j1=w,j2=w", take_spin,
     "joints, or degrees of freedom, that go on with these velocities, rad/s or m/s"},
    {OPTION_STEPS, "--steps", NULL, "N", take_steps,
     "equal parts in which forces are applied (at once unless told, or in as many as it takes)"},
    {OPTION_CASE, "--case", NULL, "NAME", take_case, "one load case of the scenario (all unless told)"},
    {OPTION_BRAKE, "--brake", NULL, "j1,j2", take_brake,
     "of a scenario: joints whose brakes are closed, those with gears at the motor"},
    {OPTION_POSE, "--pose", NULL, "x,y,z[,r,p,y]", take_pose,
     "where the frame is to be, m and rad, or x,y,z,qx,qy,qz,qw; may be repeated, 32 at most"},
    {OPTION_PATH, "--path", NULL, "FILE", take_path, "lines and arcs to follow (above)"},
    {OPTION_THREADS, "--threads", NULL, "N", take_threads, "threads (as many as there are processors unless told)"},
    {OPTION_INDEPENDENT, "--independent", NULL, "j1,j2", take_named,
     "joints, or degrees of freedom, to be independent if they can"},
    {OPTION_ACTUATED, "--actuated", NULL, "j1,j2", take_named,
     "of a robot with loops: joints, or degrees of freedom, with drives (all unless told)"},
    {OPTION_GUESSES, "--guesses", NULL, "N", take_guesses, "try N positions and print all assemblies that differ"},
    {OPTION_SHAPES, "--shapes", NULL, NULL, NULL, "also the shapes of the modes"},
    {OPTION_FUNCTIONS, "--functions", NULL, "f1,f2", take_functions, "only these functions (listed above)"},
    {OPTION_NAME, "--name", NULL, "NAME", take_name, "of the files, and what the names in them begin with"},
    {OPTION_FLOAT, "--float", NULL, NULL, NULL, "single precision instead of double"},
    {OPTION_LANES, "--lanes", NULL, "4|8", take_lanes, "also functions over arrays of states, so many states at once"},
    {OPTION_LANGUAGE, "--language", NULL, "c|latex|maxima|sympy", take_language, "what is written (c unless told)"},
    {OPTION_SYMBOLS, "--symbols", NULL, "all|m,l,J1zz=I1", take_symbols,
     "parameters that stay letters in the equations, with letters of one's own where wanted"},
    {OPTION_FLEXIBLE, "--flexible", NULL, "all|j1,j2", take_flexible,
     "joints, or degrees of freedom, whose motors drive them through springs"},
    {OPTION_MOMENTS, "--moments", NULL, "com|origin", take_moments,
     "what letters of moments of inertia are about (com unless told)"},
    {OPTION_TABLE, "--table", NULL, "N1:N2", take_table, "chains of N1 to N2 joints instead of a model"},
    {OPTION_PLOT, "--plot", NULL, "FILE", take_plot, "draw to FILE (.svg or .png)"},
    {OPTION_SAMPLES, "--samples", NULL, "N", take_samples,
     "random states to compare, 1 to 999999999 (100 unless told)"},
    {OPTION_SEED, "--seed", NULL, "S", take_seed, "of the random states, a whole number, 0 to 2^53 (1 unless told)"},
    {OPTION_FACTOR, "--factor", NULL, "F", take_factor,
     "how many times the rounding methods may differ by, a number above 0 (32 unless told)"},
    {OPTION_GENERATED, "--generated", NULL, NULL, NULL,
     "also the programs of zveno codegen, up to 12 degrees of freedom; takes some seconds"},
    {OPTION_ROUNDS, "--rounds", NULL, "N", take_rounds,
     "rounds of measuring, 1 to 10000 (25 unless told); the fastest batch of all rounds counts"},
    {OPTION_QUICK, "--quick", NULL, NULL, NULL,
     "5 short rounds, no generated code, no chains above 100 joints: seconds instead of minutes"},
    {OPTION_CPU, "--cpu", NULL, "N", take_cpu, "processor to stay on (the last one allowed unless told)"},
    {OPTION_GOLDEN, "--golden", NULL, "DIR", take_golden,
     "besides the built-in robots ur5, panda, solo12, anymal_c and talos (.urdf or .xml) of this folder"},
    {OPTION_NO_CHAINS, "--no-chains", NULL, NULL, NULL, "of the built-in robots no chains"},
    {OPTION_MODES, "--modes", NULL, "FILE", take_modes, "modes to animate: what zveno modes MODEL --json printed"},
    {OPTION_MESHES, "--meshes", NULL, "DIR", take_meshes,
     "a folder in which meshes of the model are looked for; may be repeated, 8 at most"},
    {OPTION_PORT, "--port", NULL, "N", take_port, "port to serve on, 0 to 65535; 0: any that is free"},
    {OPTION_LISTEN, "--listen", NULL, "ADDRESS", take_listen,
     "address to serve on (127.0.0.1 unless told: this machine only)"},
    {OPTION_ROWS, "--rows", NULL, "N", take_rows,
     "rows of a recording that a page shows at most, 10 or more (20000 unless told)"},
    {OPTION_TITLE, "--title", NULL, "TEXT", take_title, "heading of the page, instead of the recording's own"},
    {OPTION_ALL, "--all", NULL, NULL, NULL, "every finding by itself, also those that repeat"},
    {OPTION_FORMAT, "--format", NULL, "FORMAT", take_format, "of what is written (listed above)"},
    {OPTION_KEY, "--key", NULL, "NAME", take_key, "with --format scenario: the keyframe (the first one unless told)"},
    {OPTION_FAIL_ON, "--fail-on", NULL, "error|warning|note|never", take_fail_on,
     "the least severity that makes the exit code 1 (error unless told)"},
    {OPTION_JSON, "--json", NULL, NULL, NULL, "JSON for programs instead of tables for people"},
    {OPTION_HELP, "--help", "-h", NULL, NULL, "this text"},
};

const int option_count = sizeof options / sizeof options[0];
