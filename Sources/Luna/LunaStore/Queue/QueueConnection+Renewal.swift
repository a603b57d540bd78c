import Diagnosis
import LunaCore
import SQLite

/// What becomes of a file that is gone, was replaced or is damaged.
extension QueueConnection {
  /// After so many calls of `tend(at:)` a file that cannot be read is given up.
  private static let rescues = 10

  /// Takes what the old file holds into a new one.
  func renew(_ reason: DeviceStoreError) throws(DeviceStoreError) {
    do throws(DeviceStoreError) {
      if let file {
        if file.database.isDamagedInIndex {
          // The file and its log are whole, and are read anew.
          fate = nil
        } else {
          try rescue(file)
          fate = reason.kind == .damaged ? .damaged : .replaced
        }
        loss = (reason.reason, waitingCount)
      }
      // Two connections to files of one name would meet in the index of the log.
      file = nil
      _ = try reopen()
    } catch {
      if trouble != error { notices.append(.homeless(error)) }
      trouble = error
      throw error
    }
  }

  /// A disk that answers with an error today may answer tomorrow; the file stays open until then.
  private func rescue(_ file: QueueFile) throws(DeviceStoreError) {
    do throws(DeviceStoreError) {
      try home.rescue(file.database)
    } catch {
      guard error.kind == .failed, failedRescues >= QueueConnection.rescues else { throw error }
    }
  }

  func reopen() throws(DeviceStoreError) -> QueueFile {
    let (new, setAside) = try home.open(fate)
    let counts = try new.counts()
    (waitingCount, doubtfulCount, asideCount) = (counts.waiting, counts.doubtful, counts.aside)
    file = new
    // The lock may be another one, too.
    home.note(waitingCount)
    trouble = nil
    failedRescues = 0
    if let loss {
      // What could be read may be less than there was, also where it contradicts itself nowhere.
      let lost = max(0, loss.waiting - waitingCount)
      notices.append(.renewed(reason: loss.reason, lost: lost, setAside: setAside))
      if lost > 0 { losses.count(undated: lost, DropReason.storage) }
    }
    loss = nil
    return new
  }

  /// Gets a new file when the present one is not in its place.
  func checkPlace() {
    guard !isClosed else { return }
    do throws(DeviceStoreError) {
      try opened().database.checkPlace()
    } catch {
      try? renew(error)
    }
  }

  /// Reads; of a file that cannot be read any more, what could be taken into a new one.
  func reading<Result>(
    _ body: (QueueFile) throws(DeviceStoreError) -> Result
  ) throws(DeviceStoreError) -> Result {
    do throws(DeviceStoreError) {
      return try body(try opened())
    } catch {
      guard error.kind == .damaged else { throw error }
      try renew(error)
    }
    return try body(try opened())
  }
}
