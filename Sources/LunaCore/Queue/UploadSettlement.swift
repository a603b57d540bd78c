/// What became of the events of one upload.
public struct UploadSettlement: Hashable, Sendable {
  /// Those that the backend has; they leave the queue.
  public var stored: [Int64]
  /// Those that it will never take, with its codes; they are set aside.
  public var refused: [Int64: String]
  /// Those that it may take another time; others go first from now on.
  public var postponed: [Int64]

  /// A settlement.
  public init(stored: [Int64] = [], refused: [Int64: String] = [:], postponed: [Int64] = []) {
    self.stored = stored
    self.refused = refused
    self.postponed = postponed
  }

  /// What a reply means for the events of a batch. Those without a result are postponed.
  public init(_ reply: UploadReply, of batch: [QueuedEvent]) {
    var results: [Int: EventResult] = [:]
    for result in reply.results { results[result.index] = result }
    self.init()
    for (index, queued) in batch.enumerated() {
      switch results[index] {
      case let result? where result.isStored: stored.append(queued.id)
      case let result? where result.isPermanent: refused[queued.id] = result.code ?? "rejected"
      default: postponed.append(queued.id)
      }
    }
  }
}
