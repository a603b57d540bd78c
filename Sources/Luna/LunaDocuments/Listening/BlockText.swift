/// The lines of a block, in memory of the thread that made them: it stays in the cache of one processor, and goes
/// back there.
final class BlockText: @unchecked Sendable {
  let buffer = OutputBuffer()
}
