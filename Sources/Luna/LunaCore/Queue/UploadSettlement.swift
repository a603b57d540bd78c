/// What became of the events of one upload.
public struct UploadSettlement: Hashable, Sendable {
  /// Those that the backend has; they leave the queue.
  public var stored: [Int64]
  /// Those that it will never take, with its codes; they are set aside.
  public var refused: [Int64: String]
  /// Those that it may take another time; others go first from now on.
  public var postponed: [Int64]

  /// A settlement by numbers of the queue, each in one of the three.
  public init(stored: [Int64] = [], refused: [Int64: String] = [:], postponed: [Int64] = []) {
    self.stored = stored
    self.refused = refused
    self.postponed = postponed
  }

  /// What a reply means for the events of a batch. Those without a result are postponed.
  public init(_ reply: UploadReply, of batch: [QueuedEvent]) {
    self.init()
    for (index, queued) in batch.enumerated() {
      guard reply.outcomes.indices.contains(index) else {
        postponed.append(queued.id)
        continue
      }
      switch reply.outcomes[index] {
      case .accepted, .duplicate: stored.append(queued.id)
      case .rejected(let code, isPermanent: true): refused[queued.id] = code
      case .rejected: postponed.append(queued.id)
      }
    }
  }
}
