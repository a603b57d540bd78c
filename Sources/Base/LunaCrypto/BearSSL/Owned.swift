/// A context of BearSSL at an address of its own, wiped and freed with the last reference.
///
/// A class, since in embedded mode Swift 6.3.1 destroys no value of another module that has a `deinit`.
@safe final class Owned<Context> {
  let pointer: UnsafeMutablePointer<Context>

  init(_ context: Context) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: context)
  }

  deinit {
    unsafe Memory.wipe(
      UnsafeMutableBufferPointer(
        start: UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: UInt8.self),
        count: MemoryLayout<Context>.size))
    unsafe pointer.deallocate()
  }
}
