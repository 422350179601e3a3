/* Attributes, and what HDF5 has to say about its failures. */
#include <stdio.h>

#include "record/h5.h"

void zi_h5_begin(ziH5Quiet *quiet) {
    *quiet = (ziH5Quiet){0};
    H5Eget_auto2(H5E_DEFAULT, &quiet->function, &quiet->data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void zi_h5_end(const ziH5Quiet *quiet) { H5Eset_auto2(H5E_DEFAULT, quiet->function, quiet->data); }

typedef struct Complaint {
    char *text;
    size_t size;
} Complaint;

static herr_t note_first(unsigned n, const H5E_error2_t *found, void *data) {
    const Complaint *complaint = data;
    if (n == 0 && found->desc) snprintf(complaint->text, complaint->size, " (%.120s)", found->desc);
    return 0;
}

const char *zi_h5_complaint(char *text, size_t size) {
    Complaint complaint = {text, size};
    text[0] = '\0';
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_first, &complaint);
    return text;
}

hid_t zi_h5_text_type(void) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
    if (type >= 0) H5Tclose(type);
    return H5I_INVALID_HID;
}

/* Takes over space and type. */
static bool set(hid_t object, const char *name, hid_t stored, hid_t type, hid_t space, const void *value) {
    hid_t attribute = stored >= 0 && type >= 0 && space >= 0
                          ? H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT)
                          : H5I_INVALID_HID;
    bool ok = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) ok = H5Aclose(attribute) >= 0 && ok;
    if (space >= 0) H5Sclose(space);
    return ok;
}

bool zi_h5_set_text(hid_t object, const char *name, const char *text) {
    hid_t type = zi_h5_text_type();
    bool ok = set(object, name, type, type, H5Screate(H5S_SCALAR), &text);
    if (type >= 0) H5Tclose(type);
    return ok;
}

bool zi_h5_set_texts(hid_t object, const char *name, int count, const char *const *texts) {
    hsize_t size = (hsize_t)count;
    hid_t type = zi_h5_text_type();
    bool ok = set(object, name, type, type, H5Screate_simple(1, &size, NULL), texts);
    if (type >= 0) H5Tclose(type);
    return ok;
}

bool zi_h5_set_integer(hid_t object, const char *name, int value) {
    return set(object, name, H5T_STD_I32LE, H5T_NATIVE_INT, H5Screate(H5S_SCALAR), &value);
}
