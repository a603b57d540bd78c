import LunaProtocol

/// What a tracker is called while it keeps its identifier.
struct FrameIdentity: Hashable, Sendable {
  let eid: EID
  let aotp: AOTP

  init(eid: EID, aotp: AOTP) {
    self.eid = eid
    self.aotp = aotp
  }

  init(_ frame: LunaFrame) { self.init(eid: frame.eid, aotp: frame.aotp) }
}
