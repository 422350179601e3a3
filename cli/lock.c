/* --lock j1,j2 */
#include "lock.h"

#include <stdlib.h>
#include <string.h>

static const zvMark nowhere = {0};

/* The nearest name of a joint to a word; NULL when none is near. */
static const char *nearest_joint(zvBuilder *builder, const char *word) {
    const int count = zv_builder_njoint(builder);
    const char **names = malloc(((size_t)count + 1) * sizeof *names);
    for (int i = 0; names && i < count; i++) names[i] = zv_builder_joint(builder, i)->name;
    const char *near = names ? zv_nearest_name(word, names, (size_t)count) : NULL;
    free(names);
    return near;
}

static zvStatus unknown_joint(zvBuilder *builder, const char *name, zvError *error) {
    const char *near = nearest_joint(builder, name);
    if (near)
        return zv_fail(error, ZV_NAME, nowhere, name, "--lock: there is no joint \"%s\"; did you mean \"%s\"?", name,
                       near);
    if (zv_builder_free_base(builder))
        return zv_fail(error, ZV_NAME, nowhere, name,
                       "--lock: the file has no joint \"%s\"; --base fixed locks the joint above the root", name);
    return zv_fail(error, ZV_NAME, nowhere, name, "--lock: there is no joint \"%s\"; zveno info lists them", name);
}

/* A joint that still follows a locked one would follow nothing. */
static zvStatus check_followers(zvBuilder *builder, zvError *error) {
    for (int i = 0; i < zv_builder_njoint(builder); i++) {
        const zvJoint *joint = zv_builder_joint(builder, i);
        const int master = joint->mimic ? zv_builder_find_joint(builder, joint->mimic) : -1;
        if (master >= 0 && zv_builder_joint(builder, master)->type == ZV_JOINT_FIXED)
            return zv_fail(error, ZV_NAME, nowhere, joint->name, "--lock: joint \"%s\" follows \"%s\"; lock it as well",
                           joint->name, joint->mimic);
    }
    return ZV_OK;
}

zvStatus lock_joints(zvBuilder *builder, const char *list, zvError *error) {
    char *names = malloc(strlen(list) + 1);
    if (!names) return zv_fail(error, ZV_MEMORY, nowhere, "", "%s", zv_status_sentence(ZV_MEMORY));
    strcpy(names, list);
    zvStatus status = ZV_OK;
    for (char *name = names; name && status >= 0;) {
        char *comma = strchr(name, ',');
        if (comma) *comma = '\0';
        name += strspn(name, " ");
        const int joint = zv_builder_find_joint(builder, name);
        if (joint >= 0)
            zv_builder_lock_joint(builder, joint);
        else
            status = unknown_joint(builder, name, error);
        name = comma ? comma + 1 : NULL;
    }
    free(names);
    return status < 0 ? status : check_followers(builder, error);
}
