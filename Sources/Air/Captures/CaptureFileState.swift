import Bluetooth
import Diagnosis
import Glibc

/// What a capture file source holds while it reads; one caller at a time.
struct CaptureFileState: ~Copyable {
  /// What to do next.
  enum Step {
    case batch([AdvertisingReport])
    case waitForInput
    case waitUntil(ContinuousClock.Instant)
    case end
  }

  /// Small enough that what was read is still in the cache when it is decoded.
  private static let chunkCount = 256 * 1024

  private(set) var decoder = CaptureDecoder()
  private var file: CaptureFile?
  private var buffer: [UInt8] = []
  /// The bytes in the buffer that were not decoded yet.
  private var start = 0
  private var end = 0
  private var reachedEnd = false
  /// Why no more can be read; told once what was read before is through.
  private var failure: SourceError?
  private var isFinished = false
  private var isStopped = false
  private var isWaiting = false

  /// Kept so that its memory is used again: once the consumer has let go of the batch before, the
  /// array is not shared and can be filled anew without an allocation.
  private var batch: [AdvertisingReport] = []

  private var pace: Pace?
  /// With a pace: reports that are not due yet.
  private var queued: ArraySlice<AdvertisingReport> = []

  init(pace: Pace?) { self.pace = pace }

  mutating func open(_ path: String) throws(SourceError) {
    guard !isStopped else { return }
    file = try CaptureFile(path: path)
    buffer = [UInt8](
      repeating: 0, count: CaptureReader.requiredCapacity + CaptureFileState.chunkCount)
    batch.reserveCapacity(CaptureFileSource.batchCount + 32)
  }

  /// Reads until the format is known.
  ///
  /// - Returns: false when input has to be waited for.
  mutating func readHeader() throws(SourceError) -> Bool {
    while !isStopped {
      if try decodeHeader() { return true }
      if try !fill() { return false }
    }
    return true
  }

  private mutating func decodeHeader() throws(SourceError) -> Bool {
    let bytes = buffer
    do throws(SourceError) {
      return try decoder.readHeader(
        bytes.span.extracting(0..<end), at: &start, isEnd: reachedEnd)
    } catch {
      // The decoder does not know whose bytes these are.
      throw SourceError(
        error.kind, "\(file?.name ?? "the file"): \(error.reason)", remedy: error.remedy)
    }
  }

  mutating func step() throws(SourceError) -> Step {
    if pace != nil { return try pacedStep() }
    batch.removeAll(keepingCapacity: true)
    return try advance() ?? .batch(batch)
  }

  private mutating func pacedStep() throws(SourceError) -> Step {
    if queued.isEmpty {
      batch.removeAll(keepingCapacity: true)
      if let step = try advance() { return step }
      queued = batch[...]
    }
    guard !isStopped else { return .end }
    let now = ContinuousClock.now
    var count = 0
    for report in queued {
      guard let due = pace?.due(report.time, now: now) else { break }
      guard due <= now else {
        if count == 0 { return .waitUntil(due) }
        break
      }
      count += 1
    }
    let reports = Array(queued.prefix(count))
    queued.removeFirst(count)
    return .batch(reports)
  }

  /// Fills the batch; nil when it holds something.
  private mutating func advance() throws(SourceError) -> Step? {
    while true {
      guard !isStopped, !isFinished else { return .end }
      if let failure { throw failure }
      switch try decode(limit: CaptureFileSource.batchCount) {
      case .full:
        return nil
      case .end:
        isFinished = true
        file = nil
        return batch.isEmpty ? .end : nil
      case .more:
        do throws(SourceError) {
          if try !fill() { return batch.isEmpty ? .waitForInput : nil }
        } catch {
          guard !batch.isEmpty else { throw error }
          failure = error
          return nil
        }
      }
    }
  }

  // The array is held by a second reference while it is lent: the compiler takes the span for a
  // use of all of self.
  private mutating func decode(limit: Int) throws(SourceError) -> CaptureDecoder.State {
    let bytes = buffer
    return try decoder.decode(
      bytes.span.extracting(0..<end), at: &start, isEnd: reachedEnd, limit: limit, into: &batch)
  }

  /// Reads more of the file behind what was not decoded yet.
  ///
  /// - Returns: false when input has to be waited for.
  private mutating func fill() throws(SourceError) -> Bool {
    let rest = end - start
    let free = start
    let outcome = buffer.withUnsafeMutableBytes { bytes -> Result<Int?, SourceError> in
      if rest > 0, free > 0, let base = bytes.baseAddress { memmove(base, base + free, rest) }
      let space = UnsafeMutableRawBufferPointer(
        rebasing: bytes[rest..<min(bytes.count, rest + CaptureFileState.chunkCount)])
      return Result { () throws(SourceError) in
        guard let count = try file?.read(into: space) else { return file == nil ? 0 : nil }
        return count
      }
    }
    let count = try outcome.get()
    start = 0
    end = rest
    guard let count else { return false }
    if count == 0 { reachedEnd = true }
    end += count
    return true
  }

  /// The descriptor to wait for; nil when there is nothing to wait for.
  mutating func beginWaiting() -> Int32? {
    guard !isStopped, let descriptor = file?.descriptor else { return nil }
    isWaiting = true
    return descriptor
  }

  mutating func endWaiting() {
    isWaiting = false
    if isStopped { file = nil }
  }

  mutating func stop() {
    isStopped = true
    // While it is waited for, the descriptor must stay open: its number must not become another's.
    if !isWaiting { file = nil }
  }
}
