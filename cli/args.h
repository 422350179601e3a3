/* The words after the verb. */
#ifndef ZVENO_CLI_ARGS_H
#define ZVENO_CLI_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "complain.h"
#include "text.h"

/* Options a verb may allow; a set of them is a sum of bits. */
__extension__ typedef unsigned __int128 OptionSet;
#define OPTION_BIT(n) ((OptionSet)1 << (n))
#define OPTION_JSON OPTION_BIT(0)
#define OPTION_STATE OPTION_BIT(1)
#define OPTION_BASE OPTION_BIT(2)
#define OPTION_MIMIC OPTION_BIT(3)
#define OPTION_GRAVITY OPTION_BIT(4)
#define OPTION_METHOD OPTION_BIT(5)
#define OPTION_FRAME OPTION_BIT(6)
#define OPTION_AXES OPTION_BIT(7)
#define OPTION_REACTIONS OPTION_BIT(8)
#define OPTION_OUTPUT OPTION_BIT(9)
#define OPTION_FOLDER OPTION_BIT(67) /* --output of verbs that write several files */
#define OPTION_HELP OPTION_BIT(10)
#define OPTION_TASK OPTION_BIT(11)
#define OPTION_SET OPTION_BIT(12)
#define OPTION_RESUME OPTION_BIT(13)
#define OPTION_CHECKPOINT OPTION_BIT(14)
#define OPTION_QUIET OPTION_BIT(15)
#define OPTION_CHANNELS OPTION_BIT(16)
#define OPTION_FROM OPTION_BIT(17)
#define OPTION_TO OPTION_BIT(18)
#define OPTION_SIZE OPTION_BIT(19)
#define OPTION_RESTART OPTION_BIT(20)
#define OPTION_JOINTS OPTION_BIT(21)
#define OPTION_EQUILIBRIUM OPTION_BIT(22)
#define OPTION_LOAD OPTION_BIT(23)
#define OPTION_FIRST OPTION_BIT(24)
#define OPTION_SHAPES OPTION_BIT(25)
#define OPTION_EVERY OPTION_BIT(26)
#define OPTION_HOLD OPTION_BIT(27)
#define OPTION_INDEPENDENT OPTION_BIT(28)
#define OPTION_ACTUATED OPTION_BIT(29)
#define OPTION_GUESSES OPTION_BIT(30)
#define OPTION_FUNCTIONS OPTION_BIT(31)
#define OPTION_NAME OPTION_BIT(32)
#define OPTION_FLOAT OPTION_BIT(33)
#define OPTION_LANGUAGE OPTION_BIT(34)
#define OPTION_LANES OPTION_BIT(35)
#define OPTION_MODES OPTION_BIT(36)
#define OPTION_MESHES OPTION_BIT(37)
#define OPTION_PORT OPTION_BIT(38)
#define OPTION_LISTEN OPTION_BIT(39)
#define OPTION_TABLE OPTION_BIT(40)
#define OPTION_PLOT OPTION_BIT(41)
#define OPTION_LOCK OPTION_BIT(42)
#define OPTION_SAMPLES OPTION_BIT(43)
#define OPTION_SEED OPTION_BIT(44)
#define OPTION_FACTOR OPTION_BIT(45)
#define OPTION_GENERATED OPTION_BIT(46)
#define OPTION_ROUNDS OPTION_BIT(47)
#define OPTION_QUICK OPTION_BIT(48)
#define OPTION_CPU OPTION_BIT(49)
#define OPTION_GOLDEN OPTION_BIT(50)
#define OPTION_NO_CHAINS OPTION_BIT(51)
#define OPTION_ROWS OPTION_BIT(52)
#define OPTION_TITLE OPTION_BIT(53)
#define OPTION_ACCEPT_ENERGY_ERROR OPTION_BIT(54)
#define OPTION_PASSIVE OPTION_BIT(55)
#define OPTION_SMOOTHING OPTION_BIT(56)
#define OPTION_SYMBOLS OPTION_BIT(57)
#define OPTION_MOMENTS OPTION_BIT(58)
#define OPTION_FLEXIBLE OPTION_BIT(59)
#define OPTION_MOTORS OPTION_BIT(60)
#define OPTION_PACKAGE OPTION_BIT(61)
#define OPTION_FORMAT OPTION_BIT(62)
#define OPTION_FAIL_ON OPTION_BIT(64)
#define OPTION_ALL OPTION_BIT(65)
#define OPTION_KEY OPTION_BIT(66)
#define OPTION_SPIN OPTION_BIT(90)
#define OPTION_STEPS OPTION_BIT(91)
#define OPTION_CASE OPTION_BIT(92)
#define OPTION_AT OPTION_BIT(96)
#define OPTION_INPUTS OPTION_BIT(97)
#define OPTION_OUTPUTS OPTION_BIT(98)
#define OPTION_REDUCE OPTION_BIT(99)
#define OPTION_OVER OPTION_BIT(100)
#define OPTION_SHOW OPTION_BIT(101)
#define OPTION_BREAK OPTION_BIT(102)
#define OPTION_FREQUENCIES OPTION_BIT(103)
#define OPTION_THREADS OPTION_BIT(95)
#define OPTION_POSE OPTION_BIT(93)
#define OPTION_PATH OPTION_BIT(94)
#define OPTION_BRAKE OPTION_BIT(89)
#define OPTION_PARAMETERS OPTION_BIT(110)
#define OPERANDS_MANY OPTION_BIT(63) /* no option: more than one operand may be given */
#define OPTIONS_REPEATED \
    (OPTION_SET | OPTION_POSE | OPTION_LOAD | OPTION_MESHES | OPTION_PACKAGE) /* may be given more than once */
#define OPTIONS_MODEL                                                                                        \
    (OPTION_JSON | OPTION_BASE | OPTION_LOCK | OPTION_MIMIC | OPTION_GRAVITY | OPTION_PACKAGE | OPTION_SET | \
     OPTION_HELP)
#define OPTIONS_STATE (OPTIONS_MODEL | OPTION_STATE)

enum { MAX_CHANGES = 64, MAX_LOADS = 32, MAX_MESHES = 8 }; /* --set, --load and --meshes on one command line */
enum { MAX_OPERANDS = 64 };

typedef enum Joints { JOINTS_FREE, JOINTS_LOCKED, JOINTS_SPRUNG } Joints;

typedef enum Motors { MOTORS_FREE, MOTORS_LOCKED, MOTORS_NONE } Motors; /* of flexible joints */

typedef enum FailOn { FAIL_ON_ERROR, FAIL_ON_WARNING, FAIL_ON_NOTE, FAIL_ON_NOTHING } FailOn; /* of zveno check */

/* --load FRAME=fx,fy,fz or FRAME=fx,fy,fz,mx,my,mz */
typedef struct Load {
    const char *frame;
    int length; /* of its name */
    double wrench[6];
} Load;

typedef struct Args {
    const char *verb;    /* whose words these are */
    OptionSet given;     /* OPTION_ bits of what was on the command line */
    const char *operand; /* the file, or the verb to help with; NULL when absent */
    int operand_count;
    const char *operands[MAX_OPERANDS]; /* all of them, where a verb takes several */
    const char *state;
    const char *method;
    const char *frame;
    const char *output;
    bool free_base;
    bool mimic_free;
    bool local_axes;
    unsigned task; /* ZV_TASK_ bits of --task */
    double gravity[3];
    int package_count;
    const char *packages[MAX_CHANGES]; /* --package */
    int change_count;
    const char *changes[MAX_CHANGES]; /* --set */
    double checkpoint;                /* s */
    const char *channels;
    double from, to;   /* s */
    double every;      /* s, above 0 */
    int width, height; /* pixels */
    Joints joints;
    Motors motors;
    int load_count;
    Load loads[MAX_LOADS];
    int count;         /* modes */
    const char *named; /* --hold, --independent or --actuated: joints or degrees of freedom, with commas between */
    int guesses;
    int table_first, table_last; /* --table */
    const char *plot;
    const char *lock;      /* joints, with commas between */
    const char *functions; /* --functions: names with commas between */
    const char *name;
    const char *language;
    const char *symbols;  /* --symbols: parameters that stay letters */
    const char *flexible; /* --flexible: joints behind springs */
    bool origin_moments;  /* --moments origin */
    int lanes;            /* --lanes: 4 or 8 */
    int samples;          /* --samples, at least 1 */
    uint64_t seed;        /* --seed */
    double factor;        /* --factor, above 0 */
    int rounds;           /* --rounds, at least 1 */
    int cpu;              /* --cpu */
    const char *golden;
    const char *modes; /* --modes */
    int mesh_count;
    const char *meshes[MAX_MESHES]; /* --meshes: folders */
    int port;                       /* --port, 0 to 65535; 0: any that is free */
    const char *listen;             /* --listen: an address */
    int rows;                       /* --rows, at least 10 */
    const char *title;
    double smoothing; /* --smoothing, not negative; 0.01 unless told */
    const char *format;
    const char *key;              /* --key: a keyframe */
    const char *spin;             /* --spin: joint=speed,... */
    int steps;                    /* --steps, at least 1 */
    const char *load_case;        /* --case */
    const char *at;               /* --at: T or FROM:TO:STEP */
    const char *inputs, *outputs; /* names with commas between */
    const char *reduce;           /* --reduce */
    const char *over;             /* --over: KEY=FROM:TO:COUNT */
    const char *show;             /* --show: words with commas between */
    const char *broken;           /* --break: drives with commas between */
    const char *frequencies;      /* --frequencies: FROM:TO */
    const char *brake; /* --brake: joints with commas between */
    int pose_count;
    const char *poses[MAX_LOADS]; /* --pose */
    const char *path;             /* --path */
    int threads;                  /* --threads, at least 1; 0: not told */
    FailOn fail_on;
} Args;

/* Reads the words after the verb; complains and returns CODE_USAGE when they are wrong. */
Code args_read(const char *verb, OptionSet allowed, int count, char *const *words, Args *args);

/* A word of a command line behind a blank, so that a shell reads it back. */
void args_put_word(const char *word, Text *out);
/* An option and its value likewise; nothing when that is NULL. */
void args_put_option(const char *name, const char *value, Text *out);

/* The option lines of a help text. */
void args_describe(OptionSet allowed, Text *out);

#endif
