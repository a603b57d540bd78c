import Synchronization

/// What a client was answered, for a test whose work ends in an error.
final class Reply: Sendable {
  let bytes = Mutex<[UInt8]>([])
}
