#pragma once
#if !__has_include(<png.h>)
#error "libpng is missing: run 'make setup'"
#endif
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// libpng reports a bad file by `longjmp`, which Swift can neither set up nor be crossed by. The functions below keep both
// ends of every jump in C: they return 1, or 0 with libpng's words in `message`.

/// The bytes that libpng reads from, and the room for its complaint.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    size_t position;
    char *message;
    size_t message_size;
} spine_png_source;

static inline void spine_png_note(char *message, size_t message_size, const char *text) {
    snprintf(message, message_size, "%s", text);
}

static inline void spine_png_fail(png_structp png, png_const_charp text) {
    spine_png_source *source = (spine_png_source *)png_get_error_ptr(png);
    spine_png_note(source->message, source->message_size, text);
    png_longjmp(png, 1);
}

/// libpng warns about what it can read past: among it chunks that are no part of the picture and have a wrong checksum.
static inline void spine_png_ignore(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static inline void spine_png_take(png_structp png, png_bytep out, size_t length) {
    spine_png_source *source = (spine_png_source *)png_get_io_ptr(png);
    if (length > source->count - source->position) png_error(png, "the data ends early");
    memcpy(out, source->bytes + source->position, length);
    source->position += length;
}

/// Reads a whole PNG, to its IEND, as 8-bit samples in `pixels`: `height` rows of `width * channels` bytes.
///
/// `channels` is 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGB, alpha). The caller has read the size and the colour type
/// out of the header; a file that turns out otherwise fails. Sample values are taken as they stand: gamma and colour
/// profiles are skipped unread, as are all other ancillary chunks but tRNS, so none of them can take memory.
static inline int spine_png_read(
    const uint8_t *bytes, size_t count, uint8_t *pixels, uint32_t width, uint32_t height, int channels, char *message,
    size_t message_size) {
    spine_png_source source = {bytes, count, 0, message, message_size};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, spine_png_fail, spine_png_ignore);
    png_infop info = png == NULL ? NULL : png_create_info_struct(png);
    if (info == NULL) {
        png_destroy_read_struct(&png, NULL, NULL);
        spine_png_note(message, message_size, "libpng could not start");
        return 0;
    }
    // Nothing that is set before this line changes after it, so a jump back finds every local variable intact.
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_read_struct(&png, &info, NULL);
        return 0;
    }
    png_set_read_fn(png, &source, spine_png_take);
    // A critical chunk with a wrong checksum is an error, an ancillary one is dropped, as browsers and viewers do: PNG
    // specification, third edition, 13.1 and 5.4.
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_user_limits(png, width, height);
    png_read_info(png, info);

    png_set_scale_16(png);
    png_set_expand(png);
    if (channels == 2 || channels == 4) {
        // A tRNS chunk that libpng threw out leaves no alpha behind.
        png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    }
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    size_t row_bytes = (size_t)width * (size_t)channels;
    if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height ||
        png_get_channels(png, info) != channels || png_get_bit_depth(png, info) != 8 ||
        png_get_rowbytes(png, info) != row_bytes) {
        png_error(png, "the pixels are not what the header announces");
    }
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < height; y++) png_read_row(png, pixels + (size_t)y * row_bytes, NULL);
    }
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    return 1;
}

/// libpng's name for 8-bit samples: 1 channel (grey), 3 (RGB) or 4 (RGB, alpha).
static inline uint32_t spine_png_format(int channels) {
    return channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
}

/// An upper bound for the bytes of an encoded PNG of this size. Here because it is a macro.
static inline size_t spine_png_size_bound(uint32_t width, uint32_t height, int channels) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = spine_png_format(channels);
    return PNG_IMAGE_PNG_SIZE_MAX(image);
}

/// Encodes 8-bit grey (1 channel), RGB (3) or RGB and alpha (4) rows without padding. `size` holds the room in `out`, then what was used.
static inline int spine_png_write(
    const uint8_t *pixels, uint32_t width, uint32_t height, int channels, uint8_t *out, size_t *size, char *message,
    size_t message_size) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = spine_png_format(channels);
    png_alloc_size_t used = *size;
    int done = png_image_write_to_memory(&image, out, &used, 0, pixels, 0, NULL);
    *size = used;
    if (!done) spine_png_note(message, message_size, image.message);
    return done;
}
