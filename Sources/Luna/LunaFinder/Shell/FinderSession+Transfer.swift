import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

extension FinderSession {
  /// Sends the events whose turn it is, or the one that goes by itself.
  func upload(_ limit: Int, without others: Set<Int64>, alone: Int64?) async {
    guard let uploader else { return }
    do throws(DeviceStoreError) {
      let events = try await turn(limit, without: others, alone: alone)
      guard !events.isEmpty else {
        guard await queue.waiting > 0 else {
          return await dispatch(.uploaded(requests: [], progress: 1, waiting: 0))
        }
        return await dispatch(.nothingElseWaits(gone: alone))
      }
      let gateway = GatewayReport(
        version: parts.version, uptime: uptime, queueDepth: Int64(await queue.waiting))
      let batch = EventBatch(
        events.map(\.event), batchID: FinderSession.batchID(), gateway: gateway)
      let reply: UploadReply
      let began = parts.clock.elapsed()
      do throws(BackendError) {
        reply = try await uploader.upload(batch)
        let duration = parts.clock.elapsed() - began
        health.upload(took: duration)
        parts.telemetry?.record(.operation("flush", in: "finder", took: duration))
      } catch {
        return await dispatch(.uploadFailed(error, of: events.map(\.id)))
      }
      await settle(reply, of: events)
    } catch {
      tell(.problem(error))
      await dispatch(.queueFailed)
    }
  }

  /// Tells how many wait: what came while the upload was about to tell it may have told before, and would be
  /// forgotten until more comes.
  func recount() async {
    let waiting = await queue.waiting
    if waiting > 0 { await dispatch(.queued([:], waiting: waiting)) }
  }

  private func turn(
    _ limit: Int, without others: Set<Int64>, alone: Int64?
  ) async throws(DeviceStoreError) -> [QueuedEvent] {
    if let alone { return try await queue.event(alone).map { [$0] } ?? [] }
    let events = try await queue.next(limit + others.count)
    return Array(events.filter { !others.contains($0.id) }.prefix(limit))
  }

  private func settle(_ reply: UploadReply, of events: [QueuedEvent]) async {
    let settlement = UploadSettlement(reply, of: events)
    await note(settlement)
    var summary = UploadSummary()
    summary.sent = events.count
    summary.duplicates = reply.outcomes.prefix(events.count).count { $0 == .duplicate }
    summary.accepted = settlement.stored.count - summary.duplicates
    for code in settlement.refused.values { summary.refused[code, default: 0] += 1 }
    summary.postponed = settlement.postponed.count
    summary.waiting = await queue.waiting
    summary.commands = reply.commandRequests.count
    tell(.uploaded(summary))
    await dispatch(
      .uploaded(
        requests: reply.commandRequests,
        progress: settlement.stored.count + settlement.refused.count,
        gone: Set(settlement.stored).union(settlement.refused.keys), waiting: summary.waiting))
  }

  private func note(_ settlement: UploadSettlement) async {
    do throws(DeviceStoreError) {
      try await queue.settle(settlement)
      settlesInVain = false
    } catch {
      // The queue remembers it, and writes it later. Once is enough until it works again.
      if !settlesInVain { tell(.problem(error)) }
      settlesInVain = true
    }
  }

  /// Sets an event aside that the backend does not take all by itself.
  func setAside(_ id: Int64, _ code: String) async {
    await note(UploadSettlement(refused: [id: code]))
    tell(.dropped(reason: code, count: 1))
    await dispatch(.queued([:], waiting: await queue.waiting))
  }

  /// Tells the oldest confirmation.
  func confirm() async {
    guard let uploader else { return }
    do throws(DeviceStoreError) {
      let queued = try await queue.nextConfirmation()
      guard let confirmation = queued?.confirmation ?? unkept.first else {
        return await dispatch(.confirmed(hasMore: false))
      }
      var refusal: BackendError?
      do throws(BackendError) {
        try await uploader.confirm(confirmation)
      } catch {
        // Who is not the backend may say anything; that it gives no reason shows it.
        guard error.isExplained, error.kind == .notFound || error.kind == .malformed else {
          return await dispatch(.confirmationFailed(error))
        }
        // It will never be wanted.
        refusal = error
      }
      if let queued {
        try await queue.settleConfirmation(
          queued.id, refusal: refusal.map { "confirmation.\($0.kind.rawValue)" })
      } else {
        unkept.removeAll { $0 == confirmation }
      }
      tell(.confirmed(requestID: confirmation.requestID, refusal: refusal))
      let next = try await queue.nextConfirmation()
      let hasMore = next != nil || !unkept.isEmpty
      await dispatch(.confirmed(hasMore: hasMore))
    } catch {
      tell(.problem(error))
      await dispatch(.queueFailed)
    }
  }

  /// A name for the logs of both sides.
  private static func batchID() -> String? {
    guard let bytes: InlineArray<8, UInt8> = try? SecureRandom.bytes() else { return nil }
    return Hex.lower(bytes.span)
  }
}
