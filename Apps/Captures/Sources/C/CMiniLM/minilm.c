#include "minilm.h"

#include <math.h>

enum { WIDTH = MINILM_WIDTH, INNER = MINILM_INNER, HEADS = 12, HEAD = WIDTH / HEADS };

/// Sixteen values: one or more registers, by the processor.
typedef float lanes __attribute__((vector_size(64), aligned(4)));
typedef int8_t bytes __attribute__((vector_size(16), aligned(1)));

#ifdef __x86_64__
#define CLONED __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#define CLONED
#endif

static const float *take(const float **numbers, int count) {
    const float *taken = *numbers;
    *numbers += count;
    return taken;
}

/// out = (in × weights) · scales + biases: `in` has `count` rows of `from` values, `out` as many of `to`.
///
/// Four rows and 32 columns at a time, so that weights are read once for four tokens.
CLONED static void linear(
    const float *in, int count, int from, int to, const int8_t *weights, const float **numbers, float *out) {
    const float *scales = take(numbers, to), *biases = take(numbers, to);
    for (int column = 0; column < to; column += 32)
        for (int row = 0; row < count; row += 4) {
            const int rows = count - row < 4 ? count - row : 4;
            const float *source[4];
            for (int i = 0; i < 4; i++) source[i] = in + (row + (i < rows ? i : 0)) * from;
            lanes sums[4][2] = {0};
            for (int k = 0; k < from; k++) {
                const int8_t *weight = weights + k * to + column;
                const lanes left = __builtin_convertvector(*(const bytes *)weight, lanes);
                const lanes right = __builtin_convertvector(*(const bytes *)(weight + 16), lanes);
                for (int i = 0; i < 4; i++) {
                    sums[i][0] += left * source[i][k];
                    sums[i][1] += right * source[i][k];
                }
            }
            for (int i = 0; i < rows; i++)
                for (int half = 0; half < 2; half++) {
                    const int place = column + 16 * half;
                    *(lanes *)(out + (row + i) * to + place) =
                        sums[i][half] * *(const lanes *)(scales + place) + *(const lanes *)(biases + place);
                }
        }
}

/// Adds `more` to each row of `x` and normalises it (Ba et al., "Layer Normalization", 2016; BERT's epsilon).
CLONED static void norm(float *x, const float *more, int count, const float **numbers) {
#pragma clang fp reassociate(on) contract(fast)
    const float *weights = take(numbers, WIDTH), *biases = take(numbers, WIDTH);
    for (int row = 0; row < count; row++, x += WIDTH, more += WIDTH) {
        float mean = 0, squares = 0;
        for (int i = 0; i < WIDTH; i++) mean += x[i] += more[i];
        mean /= WIDTH;
        for (int i = 0; i < WIDTH; i++) squares += (x[i] - mean) * (x[i] - mean);
        const float scale = 1 / sqrtf(squares / WIDTH + 1e-12f);
        for (int i = 0; i < WIDTH; i++) x[i] = (x[i] - mean) * scale * weights[i] + biases[i];
    }
}

/// Attention of each token to all of them, by head (Vaswani et al., "Attention Is All You Need", 2017, equation 1).
CLONED static void attend(const float *query, const float *key, const float *value, int count, float *out) {
#pragma clang fp reassociate(on) contract(fast)
    float shares[MINILM_PLACES];
    for (int row = 0; row < count; row++)
        for (int head = 0; head < WIDTH; head += HEAD) {
            const lanes *asked = (const lanes *)(query + row * WIDTH + head);
            float most = -INFINITY, sum = 0;
            for (int other = 0; other < count; other++) {
                const lanes *found = (const lanes *)(key + other * WIDTH + head);
                const lanes products = asked[0] * found[0] + asked[1] * found[1];
                float product = 0;
                for (int i = 0; i < 16; i++) product += products[i];
                shares[other] = product / sqrtf(HEAD);
                most = fmaxf(most, shares[other]);
            }
            for (int other = 0; other < count; other++) sum += shares[other] = expf(shares[other] - most);
            lanes left = {0}, right = {0};
            for (int other = 0; other < count; other++) {
                const lanes *found = (const lanes *)(value + other * WIDTH + head);
                left += found[0] * (shares[other] / sum);
                right += found[1] * (shares[other] / sum);
            }
            lanes *target = (lanes *)(out + row * WIDTH + head);
            target[0] = left;
            target[1] = right;
        }
}

void minilm_sum(
    const int8_t *const *weights, const float *numbers, const int32_t *tokens, int count, float *room, float *sum) {
    const int size = count * WIDTH;
    float *x = room, *query = x + size, *key = query + size, *value = key + size, *heads = value + size,
          *inner = heads + size;
    const float *words = take(&numbers, MINILM_WORDS), *places = take(&numbers, MINILM_PLACES);
    const float *type = take(&numbers, WIDTH);
    for (int row = 0; row < count; row++)
        for (int i = 0; i < WIDTH; i++) {
            x[row * WIDTH + i] = weights[0][tokens[row] * WIDTH + i] * words[tokens[row]] + type[i];
            query[row * WIDTH + i] = weights[1][row * WIDTH + i] * places[row];
        }
    norm(x, query, count, &numbers);
    weights += 2;
    for (int layer = 0; layer < MINILM_LAYERS; layer++, weights += 6) {
        linear(x, count, WIDTH, WIDTH, weights[0], &numbers, query);
        linear(x, count, WIDTH, WIDTH, weights[1], &numbers, key);
        linear(x, count, WIDTH, WIDTH, weights[2], &numbers, value);
        attend(query, key, value, count, heads);
        linear(heads, count, WIDTH, WIDTH, weights[3], &numbers, query);
        norm(x, query, count, &numbers);
        linear(x, count, WIDTH, INNER, weights[4], &numbers, inner);
        // Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016.
        for (int i = 0; i < count * INNER; i++) inner[i] *= 0.5f * (1 + erff(inner[i] * (float)M_SQRT1_2));
        linear(inner, count, INNER, WIDTH, weights[5], &numbers, query);
        norm(x, query, count, &numbers);
    }
    for (int i = 0; i < WIDTH; i++) sum[i] = 0;
    for (int i = 0; i < size; i++) sum[i % WIDTH] += x[i];
}

CLONED void minilm_products(const float *rows, int count, const float *vector, int size, float *products) {
#pragma clang fp reassociate(on) contract(fast)
    for (int row = 0; row < count; row++, rows += size) {
        float sum = 0;
        for (int i = 0; i < size; i++) sum += rows[i] * vector[i];
        products[row] = sum;
    }
}
