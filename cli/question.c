/* Robot and states in, answers out, state after state, with one workspace. */
#include "question.h"

#include <stdlib.h>

#include "dofs.h"
#include "motors.h"
#include "passive.h"
#include "robot.h"
#include "state.h"
#include "zveno/kinematics.h"

/* Names the state and what to do; a question that knows more says it itself. */
static Code numerical_error(const Case *at, zvStatus status) {
    const int index = at->index;
    zvError error = {0};
    if (at->error->text[0])
        zv_fail(&error, status, at->state->mark, "", "state %d: %s", index + 1, at->error->text);
    else if (status == ZV_SINGULAR)
        zv_fail(&error, status, at->state->mark, "",
                "state %d: %s; a part without inertia can move freely: give its link mass and inertia, or its joint an "
                "armature%s",
                index + 1, zv_status_sentence(status), zv_model_nloop(at->model) ? "; or cut another joint" : "");
    else if (status == ZV_CLOSURE)
        zv_fail(
            &error, status, at->state->mark, "",
            "state %d: the accelerations that are given contradict the loops; give fewer of them: zveno mixed finds "
            "the others",
            index + 1);
    else
        zv_fail(&error, status, at->state->mark, "", "state %d: %s", index + 1, zv_status_sentence(status));
    return complain_error(&error);
}

static bool is_of_tree(const Question *question, const Case *at) {
    return question->loops == LOOPS_OPEN && zv_model_nloop(at->model) > 0;
}

static void print_json(const Question *question, const Case *at, Json *json) {
    if (question->states) {
        question->print_json(at, json);
        return;
    }
    json_map(json, JSON_BLOCK);
    if (is_of_tree(question, at)) json_key(json, "of"), json_text(json, "spanning tree");
    question->print_json(at, json);
    passive_json(at, json);
    json_end(json);
}

static void print_table(const Question *question, const Case *at, Text *out) {
    const int loops = zv_model_nloop(at->model);
    if (at->list && !question->states)
        text_printf(out, "%sstate %d of %d\n", at->index ? "\n" : "", at->index + 1, at->states);
    question->print_table(at, out);
    if (is_of_tree(question, at))
        text_printf(out, "\nof the spanning tree: %d loop%s left open; zveno reduce gives the equations with loops\n",
                    loops, loops == 1 ? " is" : "s are");
}

/* Limits and singular positions are those of the answer, not of a guess. */
static void note_positions(const Question *question, const Case *at, StateWarnings *warnings, bool redundant) {
    const double *q = at->state->q;
    const int count = question->positions ? question->positions(at, &q) : 1;
    if (redundant) state_warnings_note_redundant(warnings, at->model, q, at->index);
    for (int k = 0; question->positions && k < count; k++, q += zv_model_nq(at->model))
        state_warnings_note_limits(warnings, at->model, q);
}

/* Solves and prints one state; numbers that are not finite are a failure, since JSON has none. */
static Code answer_one(const Question *question, Case *at, StateWarnings *warnings, Json *json, Text *out) {
    passive_find(at);
    const zvStatus status = question->solve(at);
    if (status < 0) return numerical_error(at, status);
    note_positions(question, at, warnings,
                   status == ZV_DEGRADED && question->loops != LOOPS_OPEN && zv_model_nloop(at->model) > 0);
    if (at->args->given & OPTION_JSON)
        print_json(question, at, json);
    else
        print_table(question, at, out);
    if (out->not_finite)
        return complain(CODE_NUMERICAL,
                        "state %d: expected a finite answer, found another; are the numbers of the state sensible?",
                        at->index + 1);
    return CODE_DONE;
}

/* Beyond a turn of a section elastic links have no numbers that mean anything. */
static Code check_turns(const Case *at, const State *state) {
    int link;
    const double turn = zv_elastic_turn(at->model, state->q, &link);
    if (turn <= ZV_ELASTIC_TURN) return CODE_DONE;
    return complain(CODE_NUMERICAL,
                    "state %d: expected sections of elastic links to turn by less than a turn (6.283 rad), found %.4g "
                    "rad of link \"%s\"; give smaller elastic coordinates",
                    at->index + 1, turn, zv_model_link(at->model, link)->name);
}

/* States one after another through the same memory; warnings are printed once, after all of them. */
static Code answer_all(const Question *question, Case *at, State *state, const StateFile *file, Text *out) {
    Json json = json_start(out);
    const bool several = question->states && at->args->given & OPTION_GUESSES;
    StateWarnings warnings = {0};
    Code code = CODE_DONE;
    at->list = file->list || several;
    at->states = file->count;
    const bool json_list_wanted = at->list && at->args->given & OPTION_JSON;
    if (json_list_wanted) json_list(&json, JSON_BLOCK);
    for (int i = 0; i < file->count && code == CODE_DONE; i++) {
        zvError error = {0};
        if (state_read(state_file_node(file, i), at->model, at->work, state, &error) < 0) return complain_error(&error);
        at->index = i;
        warnings.ignored |= state->beside & ~(at->motors ? question->motors : question->takes);
        warnings.unchosen += question->takes & STATE_GIVEN && (state->beside & (STATE_A | STATE_GIVEN)) == STATE_A;
        state_warnings_note_scaling(&warnings, state);
        if (!question->positions) state_warnings_note_limits(&warnings, at->model, state->q);
        if (question->loops == LOOPS_ACT) state_warnings_note_loops(&warnings, at->model, at->work, state, i);
        code = check_turns(at, state);
        if (code == CODE_DONE) code = answer_one(question, at, &warnings, &json, out);
    }
    if (json_list_wanted && code == CODE_DONE) json_end(&json);
    state_warnings_warn(&warnings, at->model, file->count, at->args->verb, question->positions ? "answer" : "state");
    return code;
}

/* Opens the file of states and lends memory for one. */
static Code answer_states(const Question *question, Case *at, Text *out) {
    zvError error = {0};
    StateFile file;
    State state = {0};
    Code code;
    if (state_file_open(at->args->state, &file, &error) < 0) {
        code = complain_error(&error);
    } else if (!state_create(at->model, &state)) {
        code = complain_memory();
    } else {
        at->state = &state;
        code = answer_all(question, at, &state, &file, out);
        at->state = NULL;
    }
    state_free(&state);
    state_file_close(&file);
    return code;
}

/* What the words of the command line mean for this model. */
static Code choose_words(const Question *question, Case *at) {
    if (at->args->frame) {
        at->frame = zv_model_find_frame(at->model, at->args->frame);
        if (at->frame < 0) return robot_unknown_frame(at->model, at->args->frame);
    }
    if (at->args->named) {
        at->chosen = calloc((size_t)zv_model_nv(at->model) + 1, 1);
        const Code code = at->chosen ? named_dofs(at->model, at->args->named, at->chosen) : complain_memory();
        if (code != CODE_DONE) return code;
    }
    Code code = motors_prepare(at, question->motors, question->locks);
    if (code == CODE_DONE) code = passive_prepare(at);
    return code == CODE_DONE && question->choose ? question->choose(at) : code;
}

static Code answer_robot(const Question *question, Case *at, Text *out) {
    zvError error = {0};
    at->answer = calloc(question->answer_size(at->model) + 1, sizeof *at->answer);
    at->work = at->answer ? zv_work_create(at->model, &error) : NULL;
    return at->work ? answer_states(question, at, out) : complain_memory();
}

/* The robot, what depends on it, then all states; on failure nothing is printed. */
Code question_answer(const Question *question, const Args *args, const void *method, Text *out) {
    Robot robot;
    Code code = robot_read(args, &robot);
    if (code != CODE_DONE) return code;
    zvError error = {0};
    Case at = {.args = args, .model = robot.model, .method = method, .frame = -1, .error = &error};
    if (question->dynamics && zv_model_nv(robot.model) > 0 && zv_model_mass(robot.model) == 0)
        warn("no link that moves has mass: forces are zero, or those of rotors alone; zveno check tells more");
    if (question->dynamics && !question->motors) robot_note_flexible(robot.model, "the answer is that");
    if (question->loops == LOOPS_CLOSE && !zv_model_nloop(robot.model))
        remark("the robot has no closed loops: there is nothing to close, all its coordinates are independent");
    code = choose_words(question, &at);
    if (code == CODE_DONE) code = answer_robot(question, &at, out);
    if (code != CODE_DONE) text_clear(out);
    zv_work_destroy(at.work);
    free(at.answer);
    free(at.passive);
    free(at.motors);
    free(at.chosen);
    robot_free(&robot);
    return code;
}
