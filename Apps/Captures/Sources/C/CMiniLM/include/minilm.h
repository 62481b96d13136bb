#ifndef C_MINILM_H
#define C_MINILM_H

#include <stdint.h>

/// Sizes of all-MiniLM-L6-v2: values of a token, of its inner layer, tokens of the vocabulary, places of a text, layers.
enum { MINILM_WIDTH = 384, MINILM_INNER = 1536, MINILM_WORDS = 30522, MINILM_PLACES = 512, MINILM_LAYERS = 6 };
/// Floats of `room` for each token of a text.
enum { MINILM_ROOM = 5 * MINILM_WIDTH + MINILM_INNER };

/// Computes the sum of the vectors of a text's tokens, of `MINILM_WIDTH` values, in f32.
///
/// C, because its loops are compiled for several processors, of which the one at hand is chosen when the program starts.
///
/// `weights`: the tensors of 8 bits, row by row: words, places; of each layer query, key, value, output, inner, outer.
/// `numbers`: the floats in the order of their use: scales of words and places, vector of the first type, weights and
///   biases of the norm; of each layer, scales and biases of four tensors, of the norm weights and biases, the same of two
///   tensors, and of the other norm.
/// `tokens`: numbers below `MINILM_WORDS`; `count` of them, at most `MINILM_PLACES`.
/// `room`: `MINILM_ROOM` floats a token.
void minilm_sum(
    const int8_t *const *weights, const float *numbers, const int32_t *tokens, int count, float *room, float *sum);

/// Computes the product of each of `count` rows of `size` values with a vector of as many.
void minilm_products(const float *rows, int count, const float *vector, int size, float *products);

#endif
