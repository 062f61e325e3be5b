/* Complex functions of Windows's C library, which Wine lacks. Structures are passed as Windows passes _Dcomplex. */
#include <complex.h>

typedef struct { double re, im; } D;
typedef struct { float re, im; } F;

#define MAP(name) \
  D own_##name(D z) { double complex w = name(__builtin_complex(z.re, z.im)); return (D){creal(w), cimag(w)}; } \
  F own_##name##f(F z) { float complex w = name##f(__builtin_complex(z.re, z.im)); return (F){crealf(w), cimagf(w)}; }
#define NUMBER(name) \
  double own_##name(D z) { return name(__builtin_complex(z.re, z.im)); } \
  float own_##name##f(F z) { return name##f(__builtin_complex(z.re, z.im)); }

MAP(cacos) MAP(cacosh) MAP(casin) MAP(casinh) MAP(catan) MAP(catanh) MAP(ccos) MAP(ccosh) MAP(cexp) MAP(clog)
MAP(conj) MAP(cproj) MAP(csin) MAP(csinh) MAP(csqrt) MAP(ctan) MAP(ctanh)
NUMBER(cabs) NUMBER(carg) NUMBER(cimag) NUMBER(creal)

D own_cpow(D a, D b) {
  double complex w = cpow(__builtin_complex(a.re, a.im), __builtin_complex(b.re, b.im));
  return (D){creal(w), cimag(w)};
}
F own_cpowf(F a, F b) {
  float complex w = cpowf(__builtin_complex(a.re, a.im), __builtin_complex(b.re, b.im));
  return (F){crealf(w), cimagf(w)};
}
