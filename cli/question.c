/* Robot and states in, answers out, state after state, with one workspace. */
#include "question.h"

#include <stdlib.h>

#include "doubts.h"
#include "robot.h"

static Code numerical_error(const Case *at, zvStatus status, int index) {
    zvError error = {0};
    if (at->error->text[0])
        zv_fail(&error, status, at->state->mark, "", "state %d: %s", index + 1, at->error->text);
    else if (status == ZV_SINGULAR)
        zv_fail(&error, status, at->state->mark, "",
                "state %d: %s; a part without inertia can move freely: give its link mass and inertia, or its joint an "
                "armature",
                index + 1, zv_status_sentence(status));
    else
        zv_fail(&error, status, at->state->mark, "", "state %d: %s", index + 1, zv_status_sentence(status));
    return complain_error(&error);
}

static Code answer_one(const Question *question, const Case *at, int index, const StateFile *file, Json *json,
                       Text *out) {
    const zvStatus status = question->solve(at);
    if (status < 0) return numerical_error(at, status, index);
    if (at->args->given & OPTION_JSON) {
        json_map(json, JSON_BLOCK);
        question->print_json(at, json);
        json_end(json);
    } else {
        if (file->list) text_printf(out, "%sstate %d of %d\n", index ? "\n" : "", index + 1, file->count);
        question->print_table(at, out);
    }
    if (out->not_finite)
        return complain(CODE_NUMERICAL, "state %d: the answer is not finite; are the numbers of the state sensible?",
                        index + 1);
    return CODE_DONE;
}

static Code answer_all(const Question *question, Case *at, State *state, const StateFile *file, Text *out) {
    Json json = json_start(out);
    const bool json_wanted = at->args->given & OPTION_JSON;
    Doubts doubts = {0};
    Code code = CODE_DONE;
    if (json_wanted && file->list) json_list(&json, JSON_BLOCK);
    for (int i = 0; i < file->count && code == CODE_DONE; i++) {
        zvError error = {0};
        if (state_read(state_file_node(file, i), at->model, at->work, state, &error) < 0) return complain_error(&error);
        doubts_note(&doubts, at->model, state, i);
        code = answer_one(question, at, i, file, &json, out);
    }
    if (json_wanted && file->list && code == CODE_DONE) json_end(&json);
    doubts_warn(&doubts, at->model, file->count);
    return code;
}

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
    }
    state_free(&state);
    state_file_close(&file);
    return code;
}

static Code answer_robot(const Question *question, Case *at, Text *out) {
    zvError error = {0};
    if (at->args->frame) {
        at->frame = zv_model_find_frame(at->model, at->args->frame);
        if (at->frame < 0) return robot_unknown_frame(at->model, at->args->frame);
    }
    at->answer = calloc(question->room(at->model) + 1, sizeof *at->answer);
    at->work = at->answer ? zv_work_create(at->model, &error) : NULL;
    const Code code = at->work ? answer_states(question, at, out) : complain_memory();
    zv_work_destroy(at->work);
    free(at->answer);
    return code;
}

Code question_answer(const Question *question, const Args *args, const void *method, Text *out) {
    Robot robot;
    Code code = robot_read(args, &robot);
    if (code != CODE_DONE) return code;
    zvError error = {0};
    Case at = {.args = args, .model = robot.model, .method = method, .frame = -1, .error = &error};
    code = answer_robot(question, &at, out);
    if (code != CODE_DONE) text_clear(out);
    robot_free(&robot);
    return code;
}
