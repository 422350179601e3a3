/* What of an HDF5 file is not read: what lies in other files, and what is larger than the file can hold. A recording is
 * one file, and no number or text in it is longer than the bytes that are there allow. */
#include "record/channels.h"
#include "record/h5.h"

#include <string.h>

/* Deflate makes at most 1032 bytes of one [RFC 1951: 258 bytes of a match in two bits]; what is not packed is as large
 * as its storage. */
enum { MOST_PACKED = 1032, SLACK = 4096 };

const char *zi_h5_link_obstacle(hid_t group, const char *name) {
    H5L_info_t info;
    if (H5Lget_info(group, name, &info, H5P_DEFAULT) < 0) return NULL; /* the reader will say what is wrong with it */
    if (info.type == H5L_TYPE_EXTERNAL) return "a link leads to another file";
    return info.type == H5L_TYPE_HARD ? NULL : "a link leads elsewhere instead of holding the data";
}

/* Where the layout keeps the contents. */
static const char *layout_obstacle(hid_t creation) {
    hsize_t chunk[H5S_MAX_RANK];
    if (H5Pget_layout(creation) == H5D_VIRTUAL) return "it is a virtual data set: its data lie in other files";
    if (H5Pget_external_count(creation) > 0) return "its data lie in external storage: in other files";
    if (H5Pget_layout(creation) != H5D_CHUNKED) return NULL;
    const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, chunk);
    hsize_t numbers = 1;
    for (int i = 0; i < rank; i++) {
        if (chunk[i] == 0 || numbers > ZI_H5_MAX_CHUNK / sizeof(double) / chunk[i])
            return "its chunks are larger than 256 MiB";
        numbers *= chunk[i];
    }
    return rank < 1 ? "its chunks have no size" : NULL;
}

/* Whether elements of this size, so many, can come out of the bytes stored for them. */
static const char *size_obstacle(hid_t dataset) {
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    const size_t size = type >= 0 ? H5Tget_size(type) : 0;
    const hsize_t stored = H5Dget_storage_size(dataset);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (points < 0 || size == 0) return "its size cannot be told";
    const bool fits = (uint64_t)points <= UINT64_MAX / MOST_PACKED / size &&
                      (uint64_t)points * size / MOST_PACKED <= (uint64_t)stored + SLACK / MOST_PACKED &&
                      (points == 0 || stored > 0);
    return fits ? NULL : "it claims to hold more than the file has bytes for";
}

const char *zi_h5_storage_obstacle(hid_t dataset) {
    hid_t creation = H5Dget_create_plist(dataset);
    if (creation < 0) return "its storage cannot be told";
    const char *obstacle = layout_obstacle(creation);
    H5Pclose(creation);
    return obstacle ? obstacle : size_obstacle(dataset);
}

/* Checksums. Numbers and lengths enter as little-endian machines have them, which is how the file has the numbers. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "recordings in HDF5 need a little-endian machine");

uint64_t zi_h5_sum_integer(uint64_t sum, uint64_t value) { return zi_checksum_add(sum, &value, sizeof value); }

uint64_t zi_h5_sum_texts(uint64_t sum, uint64_t count, char *const *texts) {
    for (uint64_t i = 0; i < count; i++) {
        const size_t length = strlen(texts[i]);
        sum = zi_checksum_add(zi_h5_sum_integer(sum, length), texts[i], length);
    }
    return sum;
}

bool zi_h5_sum_channel(const zvChannel *channel, uint64_t rows, uint64_t *sum) {
    ziBytes bytes = {0};
    zi_channels_describe_one(channel, &bytes);
    zi_bytes_add_u64(&bytes, rows);
    const bool ok = !bytes.failed;
    if (ok) *sum = zi_checksum(bytes.data, bytes.size);
    zi_bytes_free(&bytes);
    return ok;
}
