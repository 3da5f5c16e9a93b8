// The Fourier transform of a length that is a power of two.

/**
 * Transform a complex sequence in place: X[f] = sum of x[t] exp(-2 pi i f t / n).
 *
 * @param {Float64Array} real length n, a power of two.
 * @param {Float64Array} imaginary length n.
 *
 * Source: Cooley and Tukey, An Algorithm for the Machine Calculation of Complex Fourier Series (1965).
 */
export function transform(real, imaginary) {
  const n = real.length;
  reverseBits(real, imaginary);
  const cosines = Float64Array.from({ length: n / 2 }, (_, index) => Math.cos((2 * Math.PI * index) / n));
  const sines = Float64Array.from({ length: n / 2 }, (_, index) => -Math.sin((2 * Math.PI * index) / n));
  for (let half = 1; half < n; half *= 2) {
    const stride = n / (2 * half);
    for (let start = 0; start < n; start += 2 * half) {
      for (let index = 0; index < half; index++) {
        const [at, other] = [start + index, start + index + half];
        const [cosine, sine] = [cosines[index * stride], sines[index * stride]];
        const turnedReal = real[other] * cosine - imaginary[other] * sine;
        const turnedImaginary = real[other] * sine + imaginary[other] * cosine;
        real[other] = real[at] - turnedReal;
        imaginary[other] = imaginary[at] - turnedImaginary;
        real[at] += turnedReal;
        imaginary[at] += turnedImaginary;
      }
    }
  }
}

/** The least power of two >= `least`. */
export function powerOfTwo(least) {
  let length = 2;
  while (length < least) length *= 2;
  return length;
}

function reverseBits(real, imaginary) {
  const n = real.length;
  for (let index = 1, reversed = 0; index < n; index++) {
    let bit = n >> 1;
    for (; reversed & bit; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (index < reversed) {
      [real[index], real[reversed]] = [real[reversed], real[index]];
      [imaginary[index], imaginary[reversed]] = [imaginary[reversed], imaginary[index]];
    }
  }
}
