"""Short LLVM vectors for kernels: the pieces that intrinsics are built from.

Numba's own vectorizer does not keep byte lanes in registers across irregular loops, so the few
innermost steps are written as LLVM instructions on whole vectors. Everything here is portable:
LLVM splits a vector that is wider than the machine's registers. What is faster on one kind of
processor is chosen when the code is compiled, by that processor's features, and gives the same
results.

All functions take the llvmlite `builder` first and emit instructions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from llvmlite import ir
from numba.core import cgutils, config
from numba.core.codegen import get_host_cpu_features
from numba.extending import intrinsic

Value: TypeAlias = Any
Builder: TypeAlias = Any

BIT = ir.IntType(1)
BYTE = ir.IntType(8)
INT32 = ir.IntType(32)
INT64 = ir.IntType(64)


def compiled_form_of(plain: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Decorate the typing function of an intrinsic that does what the function `plain` does.

    Kernels call the name so decorated; when they run without compilation, that is `plain`.
    """

    def decorate(typing: Callable[..., Any]) -> Any:
        return plain if config.DISABLE_JIT else intrinsic(prefer_literal=True)(typing)

    return decorate


def has_feature(name: str) -> bool:
    """Whether the processor that is compiled for has a feature, such as ``avx512f``."""
    if config.CPU_NAME is not None or config.CPU_FEATURES is not None:
        features = str(config.CPU_FEATURES)
    else:
        features = get_host_cpu_features()
    return f"+{name}" in features.split(",")


def int64(value: int) -> Value:
    """A 64-bit constant."""
    return ir.Constant(INT64, value)


def constant(kind: ir.VectorType, value: int) -> Value:
    """The same number in every lane."""
    return ir.Constant(kind, [value] * kind.count)


def splat(builder: Builder, value: Value, kind: ir.VectorType) -> Value:
    """An integer, cut to the lanes' width, in every lane."""
    undefined = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(undefined, builder.trunc(value, kind.element), INT32(0))
    return builder.shuffle_vector(one, undefined, constant(ir.VectorType(INT32, kind.count), 0))


def data_pointer(context: Any, builder: Builder, kind: Any, array: Value) -> Value:
    """A byte pointer to the data of a C-contiguous array argument."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(data, BYTE.as_pointer())


def load(builder: Builder, base: Value, offset: Value, kind: Any) -> Value:
    """Load a value of a type from `offset` bytes after a byte pointer, at any alignment."""
    pointer = builder.bitcast(builder.gep(base, [offset]), kind.as_pointer())
    value = builder.load(pointer)
    value.align = 1
    return value


def store(builder: Builder, base: Value, offset: Value, value: Value) -> None:
    """Store a value at `offset` bytes after a byte pointer, at any alignment."""
    pointer = builder.bitcast(builder.gep(base, [offset]), value.type.as_pointer())
    builder.store(value, pointer).align = 1


def load_index(builder: Builder, base: Value, index: Value) -> Value:
    """Element `index` of an int32 array, from its byte pointer, as 64 bits."""
    raw = load(builder, base, builder.mul(index, int64(4)), INT32)
    return builder.sext(raw, INT64)


def minimum(builder: Builder, one: Value, other: Value) -> Value:
    """The lesser unsigned number of each lane."""
    return builder.select(builder.icmp_unsigned("<", one, other), one, other)


def _call(builder: Builder, name: str, signature: Any, arguments: list[Value]) -> Value:
    """Call one of LLVM's own functions."""
    function = cgutils.get_or_insert_function(builder.module, signature, name)
    return builder.call(function, arguments)


def saturating_add(builder: Builder, one: Value, other: Value) -> Value:
    """The unsigned sum of each lane, or the lane's highest number where it does not fit."""
    kind = one.type
    name = f"llvm.uadd.sat.v{kind.count}i{kind.element.width}"
    return _call(builder, name, ir.FunctionType(kind, [kind, kind]), [one, other])


def leading_zeros(builder: Builder, value: Value) -> Value:
    """The number of zero bits above the highest one of each lane; the width for a zero."""
    kind = value.type
    name = f"llvm.ctlz.v{kind.count}i{kind.element.width}"
    signature = ir.FunctionType(kind, [kind, BIT])
    return _call(builder, name, signature, [value, BIT(0)])


def rotate_left(builder: Builder, value: Value, bits: int) -> Value:
    """Each lane's bits turned to the left."""
    kind = value.type
    left = builder.shl(value, constant(kind, bits))
    right = builder.lshr(value, constant(kind, kind.element.width - bits))
    return builder.or_(left, right)


def any_lane(builder: Builder, mask: Value) -> Value:
    """Whether some lane of a vector of bits is set, as one bit."""
    whole = ir.IntType(mask.type.count)
    return builder.icmp_unsigned("!=", builder.bitcast(mask, whole), whole(0))


class Table32:
    """A table of 32 numbers of 32 bits that vectors of sixteen indices are looked up in."""

    KIND = ir.VectorType(INT32, 16)

    def __init__(self, builder: Builder, base: Value, offset: int) -> None:
        """The table that begins `offset` bytes after a byte pointer."""
        self._base, self._offset = base, offset
        self._in_registers = has_feature("avx512f")
        if self._in_registers:
            parts = (int64(offset), int64(offset + 64))
            self._halves = [load(builder, base, part, self.KIND) for part in parts]

    def lookup(self, builder: Builder, indices: Value) -> Value:
        """The numbers at the indices (0-31), a vector of sixteen."""
        if self._in_registers:
            signature = ir.FunctionType(self.KIND, [self.KIND] * 3)
            name = "llvm.x86.avx512.vpermi2var.d.512"
            return _call(builder, name, signature, [self._halves[0], indices, self._halves[1]])
        found = ir.Constant(self.KIND, ir.Undefined)
        for lane in range(self.KIND.count):
            index = builder.zext(builder.extract_element(indices, INT32(lane)), INT64)
            at = builder.add(builder.mul(index, int64(4)), int64(self._offset))
            found = builder.insert_element(found, load(builder, self._base, at, INT32), INT32(lane))
        return found
