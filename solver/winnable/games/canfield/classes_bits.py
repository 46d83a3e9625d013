"""Operations on single bits that numba has no names for."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

from winnable.arrays import LongArray
from winnable.jit import lean_kernel
from winnable.search.vectors import compiled_form_of, data_pointer, has_feature

INT64 = ir.IntType(64)


def _plain_highest(mask: int) -> int:
    return int(mask).bit_length() - 1


@compiled_form_of(_plain_highest)
def highest(_context: Any, _mask: Any) -> Any:
    """The index of the highest set bit of a positive int64."""

    def generate(_c: Any, builder: Any, _s: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(INT64, 63), zeros)

    return types.int64(types.int64), generate


def _plain_prefetch(_array: LongArray, _index: int) -> int:
    return 0


@compiled_form_of(_plain_prefetch)
def prefetch(_context: Any, array: Any, _index: Any) -> Any:
    """Have the processor fetch an element of an int64 array before it is needed; returns 0."""

    def generate(context: Any, builder: Any, _s: Any, arguments: Any) -> Any:
        data = data_pointer(context, builder, array, arguments[0])
        offset = builder.mul(arguments[1], ir.Constant(INT64, 8))
        number = ir.IntType(32)
        signature = ir.FunctionType(ir.VoidType(), [data.type, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, signature, "llvm.prefetch.p0")
        # For reading, to be kept in all caches, of data.
        hints = [ir.Constant(number, hint) for hint in (0, 3, 1)]
        builder.call(function, [builder.gep(data, [offset]), *hints])
        return ir.Constant(INT64, 0)

    return types.int64(array, types.int64), generate


@lean_kernel
def plain_extract(bits: int, mask: int) -> int:
    """The bits under the mask, moved together to the low end."""
    found = 0
    to = 1
    while mask:
        low = mask & -mask
        if bits & low:
            found |= to
        to <<= 1
        mask ^= low
    return found


@lean_kernel
def plain_deposit(bits: int, mask: int) -> int:
    """The lowest bits, spread over those of the mask in order."""
    found = 0
    while mask:
        low = mask & -mask
        if bits & 1:
            found |= low
        bits >>= 1
        mask ^= low
    return found


def _instruction(name: str) -> Any:
    """The typing function of an intrinsic for a function of LLVM's on two int64."""

    def typing(_context: Any, _bits: Any, _mask: Any) -> Any:
        def generate(_c: Any, builder: Any, _s: Any, arguments: Any) -> Any:
            signature = ir.FunctionType(INT64, [INT64, INT64])
            function = cgutils.get_or_insert_function(builder.module, signature, name)
            return builder.call(function, arguments)

        return types.int64(types.int64, types.int64), generate

    return typing


# One instruction where the processor has it, a loop over the mask's bits elsewhere.
if has_feature("bmi2"):
    extract = compiled_form_of(plain_extract)(_instruction("llvm.x86.bmi.pext.64"))
    deposit = compiled_form_of(plain_deposit)(_instruction("llvm.x86.bmi.pdep.64"))
else:
    extract, deposit = plain_extract, plain_deposit
