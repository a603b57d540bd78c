import CLuna
import Glibc

// The texts that go over the border.

/// The text of a pointer that a program gave.
///
/// - Throws: ``Failure`` when there is none, or when it is not UTF-8.
func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws -> String {
  guard let pointer else { throw Failure.invalid("\(name) is NULL") }
  guard let text = String(validatingCString: pointer) else {
    throw Failure.invalid("\(name) is not UTF-8")
  }
  return text
}

/// A copy for the program, which frees it.
func copy(_ text: [UInt8]) throws -> UnsafeMutablePointer<CChar> {
  guard let copy = malloc(text.count + 1)?.assumingMemoryBound(to: CChar.self) else {
    throw Failure(status: LUNA_UNAVAILABLE, text: "no memory is left")
  }
  for (index, byte) in text.enumerated() { copy[index] = CChar(bitPattern: byte) }
  copy[text.count] = 0
  return copy
}

/// `luna_free` of luna.h.
@_cdecl("luna_free")
public func free(text: UnsafeMutablePointer<CChar>?) { Glibc.free(text) }
