/* Changes what the processor tells or does, for `.ci/machine`. OMNIGO_MACHINE names the change. */

#define _GNU_SOURCE
#include <cpuid.h>
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
/* Bits of the control register of vectors: numbers below 2^-126 are zero as results and operands. */
#define FLUSH 0x8040

/* Features that leaf 7 of `cpuid` reports in ebx, ecx, and edx: AVX-512 and matrix tiles. */
static const unsigned WIDE[3] = {
    1u << 16 | 1u << 17 | 1u << 21 | 1u << 26 | 1u << 27 | 1u << 28 | 1u << 30 | 1u << 31,
    1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14,
    1u << 2 | 1u << 3 | 1u << 8 | 1u << 22 | 1u << 23 | 1u << 24 | 1u << 25,
};
/* Registers that the system saves, by leaf 13: x87, SSE, and AVX. */
#define SAVED 7u

/* Answers a trapped `cpuid`. */
static void answer(int number, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned char *code = (const unsigned char *)registers[REG_RIP];
    if (code[0] != 0x0f || code[1] != 0xa2) {
        /* Another fault: it repeats, and ends the program. */
        signal(number, SIG_DFL);
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
        /* All of its features are younger than AVX2. */
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
    const char *change = getenv("OMNIGO_MACHINE");
    if (!change)
        return;
    if (!strcmp(change, "flush")) {
        /* Threads inherit the register. */
        _mm_setcsr(_mm_getcsr() | FLUSH);
        return;
    }
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (sigaction(SIGSEGV, &action, NULL) || syscall(SYS_arch_prctl, SET_CPUID, 0)) {
        fputs(".ci/machine: this machine cannot trap cpuid\n", stderr);
        _exit(2);
    }
}
