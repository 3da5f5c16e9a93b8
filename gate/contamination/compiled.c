/* The hot part of the contamination scan: words cut, hashed, and looked up in a table of n-grams, byte by byte.
 *
 * It does what blocks.py, hashing.py and table.py do, and nothing else: same hashes, same finds. All memory belongs to
 * the caller (compiled.py), which also says how much of it there is; nothing is written or followed beyond that.
 * Text comes with EIGHT readable bytes behind its end.
 */

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "words are read as little-endian numbers"
#endif

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#if defined(__GNUC__)
#define PREFETCH(place) __builtin_prefetch(place)
#define LOWEST_BIT(bits) __builtin_ctzll(bits)
#else
#define PREFETCH(place) ((void)(place))
static int LOWEST_BIT(uint64_t bits) {
    int place = 0;
    for (; !(bits & 1); bits >>= 1) place++;
    return place;
}
#endif

/* The digest of this file, by which a library that was compiled from another one is refused. */
#ifndef GATE_SOURCE
#define GATE_SOURCE ""
#endif
EXPORT const char *gate_source(void) {
    return GATE_SOURCE;
}

enum { EIGHT = 8, LINE = 64, CHUNK = 4096, AHEAD = 256 };

static const uint64_t FACTORS[] = {0x9E3779B97F4A7C15u, 0xC2B2AE3D27D4EB4Fu, 0x165667B19E3779F9u};
static const uint64_t HIGH_BITS = 0x8080808080808080u;

/* Words of a block; ``documents`` + 1 entries of ``first`` tell the first word of each document. */
typedef struct {
    const uint8_t *data;
    int64_t size;
    int64_t words;
    const uint32_t *edges; /* start and end of each word */
    const uint64_t *hashes;
    int64_t documents;
    const int64_t *first;
} Block;

/* The words that n-grams are made of. */
typedef struct {
    const uint8_t *data;
    int64_t size;
    int64_t words;
    const int64_t *starts;
    const int64_t *lengths;
} Vocabulary;

/* N-grams sorted by hash; those of bucket b, the hash's upper bits, stand from buckets[b] up to buckets[b + 1]. */
typedef struct {
    int64_t size; /* words an n-gram */
    int64_t entries;
    const uint64_t *hashes;
    const int32_t *order; /* the number of each n-gram */
    const int32_t *numbers; /* entries x size: its words by their numbers in the vocabulary */
    int64_t bucket_bits;
    const int32_t *buckets;
    int64_t filter_bits; /* at least 3 */
    const uint8_t *filter; /* one bit a place */
} Table;

static uint64_t eight(const uint8_t *place) {
    uint64_t bytes;
    memcpy(&bytes, place, EIGHT);
    return bytes;
}

/* The first ``size`` bytes, 1 to 8, of eight. */
static uint64_t cut(uint64_t bytes, uint64_t size) {
    return bytes & (~(uint64_t)0 >> (64 - 8 * size));
}

/* The hash of a word so far, and the next eight bytes of it. */
static uint64_t mix(uint64_t hash, uint64_t bytes) {
    hash = (hash ^ bytes) * FACTORS[0];
    return hash ^ hash >> 32;
}

static uint64_t word_hash(const uint8_t *word, uint64_t length) {
    uint64_t hash = length * FACTORS[1];
    for (; length > 2 * EIGHT; length -= EIGHT, word += EIGHT) hash = mix(hash, eight(word));
    /* Whether there are over eight bytes cannot be foreseen: both are reckoned, which is faster than to be wrong. */
    uint64_t longer = length > EIGHT, mask = 0 - longer;
    hash = (mix(hash, eight(word)) & mask) | (hash & ~mask);
    return mix(hash, cut(eight(word + EIGHT * longer), length - EIGHT * longer));
}

/* Lower-case the ASCII letters of a text; whether there is anything beyond ASCII. */
static int lower_ascii(uint8_t *text, int64_t size) {
    uint8_t seen = 0;
    for (int64_t at = 0; at < size; at++) {
        uint8_t byte = text[at];
        seen |= byte;
        text[at] = (uint8_t)(byte + (((uint8_t)(byte - 'A') < 26) << 5));
    }
    return seen >> 7;
}

/* The character of two to four bytes that starts at ``text``, of ``left`` bytes; its bytes, or 0 where it is none. */
static int64_t decode(const uint8_t *text, int64_t left, uint32_t *character) {
    static const uint8_t MARKS[] = {0, 0, 0x1F, 0x0F, 0x07};
    int64_t size = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : text[0] >= 0xC0 ? 2 : 0;
    if (size == 0 || size > left) return 0;
    *character = text[0] & MARKS[size];
    for (int64_t at = 1; at < size; at++) *character = *character << 6 | (text[at] & 0x3F);
    return size;
}

/* Put ``character``, which takes as many bytes, in the place of another; a space in the place of each of its bytes. */
static void replace(uint8_t *text, int64_t size, uint32_t character) {
    if (character == ' ') {
        memset(text, ' ', (size_t)size);
        return;
    }
    for (int64_t at = size - 1; at > 0; at--, character >>= 6) text[at] = (uint8_t)(0x80 | (character & 0x3F));
    text[0] = (uint8_t)((text[0] & (size == 2 ? 0xE0 : size == 3 ? 0xF0 : 0xF8)) | character);
}

/* Lower-case the characters beyond ASCII; 0 where there is one that this cannot do. */
static int lower_wide(uint8_t *text, int64_t size, const uint32_t *lowered, int64_t known) {
    int64_t at = 0;
    while (at < size) {
        if (size - at >= EIGHT) {
            uint64_t high = eight(text + at) & HIGH_BITS;
            if (!high) {
                at += EIGHT;
                continue;
            }
            at += LOWEST_BIT(high) / 8;
        } else if (text[at] < 0x80) {
            at++;
            continue;
        }
        uint32_t character;
        int64_t bytes = decode(text + at, size - at, &character);
        if (bytes == 0) return 0;
        if (character < known && lowered[character] != character) {
            if (lowered[character] == 0) return 0;
            replace(text + at, bytes, lowered[character]);
        }
        at += bytes;
    }
    return 1;
}

/* Lower-case texts in place.
 *
 * ends: where each document ends in ``data``, ascending.
 * lowered: of each character below ``known`` what it becomes: itself, one of as many bytes of UTF-8, a space, or 0 for
 *     what only the caller can say. All others stay.
 * odd: set to 1 for each document that has such a character; what is then left of that document is of no use.
 */
EXPORT void gate_lower(uint8_t *data, int64_t size, const int64_t *ends, int64_t documents, const uint32_t *lowered,
                       int64_t known, uint8_t *odd) {
    int64_t start = 0;
    for (int64_t document = 0; document < documents; document++) {
        int64_t end = ends[document] < size ? ends[document] : size;
        odd[document] = 0;
        if (end > start) {
            int wide = lower_ascii(data + start, end - start);
            if (wide) odd[document] = !lower_wide(data + start, end - start, lowered, known);
            start = end;
        }
    }
}

/* One bit for each of 64 bytes that is an ASCII separator of str.split: 9 to 13 and 28 to 32. */
static uint64_t spaces(const uint8_t *text) {
    uint8_t is_space[LINE];
    uint64_t bits = 0;
    for (int at = 0; at < LINE; at++) is_space[at] = (uint8_t)((uint8_t)(text[at] - 28) <= 4 || (uint8_t)(text[at] - 9) <= 4);
    /* each byte's lowest bit to one bit of the uppermost byte */
    for (int at = 0; at < LINE; at += EIGHT) bits |= (eight(is_space + at) * 0x0102040810204080u >> 56) << at;
    return bits;
}

/* The words of a block and their hashes.
 *
 * ends: where each document ends in ``data``, ascending; between two there is a separator.
 * kept: which bits of a hash are kept: all, but in tests.
 * edges, hashes: room for ``room`` words.
 * first: room for documents + 1.
 *
 * How many words there are, or -1 where they need more room.
 */
EXPORT int64_t gate_words(const uint8_t *data, int64_t size, const int64_t *ends, int64_t documents, uint64_t kept,
                          uint32_t *edges, uint64_t *hashes, int64_t room, int64_t *first) {
    int64_t count = 0; /* edges: starts and ends in turn */
    uint64_t before = 1;
    for (int64_t at = 0; at <= size; at += LINE) {
        uint8_t last[LINE];
        const uint8_t *line = data + at;
        if (size - at < LINE) {
            memset(last, ' ', LINE);
            memcpy(last, line, (size_t)(size - at));
            line = last;
        }
        uint64_t space = spaces(line);
        uint64_t changes = space ^ (space << 1 | before);
        before = space >> 63;
        if (count + LINE > 2 * room) return -1;
        for (; changes; changes &= changes - 1) edges[count++] = (uint32_t)(at + LOWEST_BIT(changes));
    }
    int64_t words = count / 2, word = 0;
    first[0] = 0;
    for (int64_t document = 0; document < documents; document++) {
        for (; word < words && edges[2 * word] < ends[document]; word++)
            hashes[word] = word_hash(data + edges[2 * word], edges[2 * word + 1] - edges[2 * word]) & kept;
        first[document + 1] = word;
    }
    return word;
}

/* Whether a word of the block is one of the vocabulary. */
static int equal(const Block *block, int64_t word, const Vocabulary *vocabulary, int64_t own) {
    int64_t start = block->edges[2 * word], end = block->edges[2 * word + 1];
    if (own < 0 || own >= vocabulary->words || end > block->size) return 0;
    int64_t length = vocabulary->lengths[own], place = vocabulary->starts[own];
    if (end - start != length || place < 0 || place + length > vocabulary->size) return 0;
    const uint8_t *theirs = block->data + start, *ours = vocabulary->data + place;
    for (; length > EIGHT; length -= EIGHT, theirs += EIGHT, ours += EIGHT)
        if (eight(theirs) != eight(ours)) return 0;
    return cut(eight(theirs) ^ eight(ours), (uint64_t)length) == 0;
}

static int equal_run(const Block *block, int64_t word, const Table *table, const Vocabulary *vocabulary, int64_t entry) {
    const int32_t *own = table->numbers + entry * table->size;
    for (int64_t offset = 0; offset < table->size; offset++)
        if (!equal(block, word + offset, vocabulary, own[offset])) return 0;
    return 1;
}

/* The hashes of ``count`` runs, one from each word on. */
static void run_hashes(const uint64_t *words, int64_t count, int64_t size, uint64_t kept, uint64_t *hashes) {
    memcpy(hashes, words, (size_t)count * sizeof *hashes);
    for (int64_t offset = 1; offset < size; offset++)
        for (int64_t run = 0; run < count; run++) hashes[run] = hashes[run] * FACTORS[2] + words[run + offset];
    for (int64_t run = 0; run < count; run++) {
        uint64_t hash = hashes[run] * FACTORS[0];
        hashes[run] = (hash ^ hash >> 32) & kept;
    }
}

/* The n-gram that starts at a word, or -1; of several of one hash one at most has its words. */
static int64_t look_up(const Block *block, int64_t word, uint64_t hash, const Table *table,
                       const Vocabulary *vocabulary) {
    uint64_t bucket = hash >> (64 - table->bucket_bits);
    int64_t end = table->buckets[bucket + 1] < table->entries ? table->buckets[bucket + 1] : table->entries;
    for (int64_t entry = table->buckets[bucket]; entry < end; entry++)
        if (table->hashes[entry] == hash && equal_run(block, word, table, vocabulary, entry))
            return table->order[entry];
    return -1;
}

/* The n-grams among up to AHEAD runs, each in a cell; what is looked up next is on its way from memory meanwhile. */
static int64_t find_runs(const Block *block, int64_t start, int64_t count, const Table *table,
                         const Vocabulary *vocabulary, uint64_t kept, int64_t cell, int64_t *cells) {
    uint64_t hashes[AHEAD];
    int64_t likely[AHEAD], claims = 0, found = 0;
    run_hashes(block->hashes + start, count, table->size, kept, hashes);
    for (int64_t run = 0; run < count; run++) {
        uint64_t place = hashes[run] >> (64 - table->filter_bits);
        likely[claims] = run;
        claims += table->filter[place >> 3] >> (place & 7) & 1;
    }
    for (int64_t claim = 0; claim < claims; claim++)
        PREFETCH(table->buckets + (hashes[likely[claim]] >> (64 - table->bucket_bits)));
    for (int64_t claim = 0; claim < claims; claim++) {
        int64_t entry = table->buckets[hashes[likely[claim]] >> (64 - table->bucket_bits)];
        PREFETCH(table->hashes + entry);
        PREFETCH(table->order + entry);
        PREFETCH(table->numbers + entry * table->size);
    }
    for (int64_t claim = 0; claim < claims; claim++) {
        int64_t gram = look_up(block, start + likely[claim], hashes[likely[claim]], table, vocabulary);
        if (gram >= 0) cells[found++] = cell | gram;
    }
    return found;
}

/* Where n-grams of a table stand within the documents of a block: document << bits | n-gram, one an occurrence.
 *
 * cells: room for as many as the block has words.
 *
 * How many there are.
 */
EXPORT int64_t gate_find(const Block *block, const Table *table, const Vocabulary *vocabulary, uint64_t kept,
                         int64_t bits, int64_t *cells) {
    int64_t found = 0;
    for (int64_t document = 0; document < block->documents; document++) {
        int64_t stop = block->first[document + 1] - table->size + 1;
        for (int64_t start = block->first[document]; start < stop; start += AHEAD) {
            int64_t count = stop - start < AHEAD ? stop - start : AHEAD;
            found += find_runs(block, start, count, table, vocabulary, kept, document << bits, cells + found);
        }
    }
    return found;
}
