/* Hides processor features or flushes subnormal numbers, for `.ci/cpu`. OMNIGO_CPU names the change. */

#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <immintrin.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* Operation of `arch_prctl` that allows (1) or traps (0) the instruction `cpuid`. */
#define SET_CPUID 0x1012
/* Bits of the control register of vectors that treat subnormal results and operands as zero. */
#define FLUSH 0x8040

/* Features that leaf 7 of `cpuid` reports in ebx, ecx, and edx: AVX-512 and matrix tiles. */
static const unsigned WIDE[3] = {
    1u << 16 | 1u << 17 | 1u << 21 | 1u << 26 | 1u << 27 | 1u << 28 | 1u << 30 | 1u << 31,
    1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14,
    1u << 2 | 1u << 3 | 1u << 8 | 1u << 22 | 1u << 23 | 1u << 24 | 1u << 25,
};
/* Registers that the system saves, by leaf 13: x87, SSE, and AVX. */
#define SAVED 7u

/* True while `cpuid` is trapped. */
static int traps;

static int set_action(int number, const struct sigaction *action, struct sigaction *old) {
    int (*next)(int, const struct sigaction *, struct sigaction *) = dlsym(RTLD_NEXT, "sigaction");
    return next(number, action, old);
}

/* Programs such as rustc handle SIGSEGV too. Their handlers would replace the one for `cpuid`. */
int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    return set_action(number, traps && number == SIGSEGV ? NULL : action, old);
}

sighandler_t signal(int number, sighandler_t handler) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

/* Answers a trapped `cpuid`. */
static void answer(int number, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned char *code = (const unsigned char *)registers[REG_RIP];
    if (code[0] != 0x0f || code[1] != 0xa2) {
        /* Not cpuid: restore the default action. The fault repeats and ends the program. */
        struct sigaction none = {.sa_handler = SIG_DFL};
        set_action(number, &none, NULL);
        return;
    }
    unsigned leaf = registers[REG_RAX], part = registers[REG_RCX], a, b, c, d;
    syscall(SYS_arch_prctl, SET_CPUID, 1);
    __cpuid_count(leaf, part, a, b, c, d);
    syscall(SYS_arch_prctl, SET_CPUID, 0);
    if (leaf == 7 && part == 0) {
        b &= ~WIDE[0];
        c &= ~WIDE[1];
        d &= ~WIDE[2];
    } else if (leaf == 7 && part == 1) {
        /* All of its features are newer than AVX2. */
        a = b = c = d = 0;
    } else if (leaf == 13 && part == 0) {
        a &= SAVED;
    }
    registers[REG_RAX] = a;
    registers[REG_RBX] = b;
    registers[REG_RCX] = c;
    registers[REG_RDX] = d;
    registers[REG_RIP] += 2;
}

__attribute__((constructor)) static void start(void) {
    const char *change = getenv("OMNIGO_CPU");
    if (!change)
        return;
    if (!strcmp(change, "flush")) {
        /* Threads inherit the register. */
        _mm_setcsr(_mm_getcsr() | FLUSH);
        return;
    }
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (set_action(SIGSEGV, &action, NULL) || syscall(SYS_arch_prctl, SET_CPUID, 0)) {
        fputs(".ci/cpu: this processor cannot trap cpuid\n", stderr);
        _exit(2);
    }
    traps = 1;
}
