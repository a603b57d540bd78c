import Bluetooth
import Diagnosis
import EventLoop
import FileOutput
import Glibc

/// A capture file that is written, in pieces that end with a whole record. A disk may be slow, and who
/// reads a pipe even slower.
actor CaptureOutput {
  private let blocking: Blocking
  nonisolated var unownedExecutor: UnownedSerialExecutor { blocking.asUnownedSerialExecutor() }

  private let path: String
  private var descriptor: Int32
  /// Whether what was written of a piece that failed can be taken back.
  private let isRegular: Bool
  /// Whether the file was not there before.
  private let isNew: Bool
  /// The bytes of whole records.
  private var complete = 0
  /// What the file begins with, as long as an older recording is still there: it is cut when there is
  /// something to put in its place.
  private var header: [UInt8]?

  /// Opens `path`, which may be there where that is said; `-` is standard output. Does not touch the file
  /// `input`.
  static func open(
    path: String, reading input: String?, replacing: Bool
  ) async throws(SourceError) -> CaptureOutput {
    let blocking = Blocking(name: "luna.capture")
    return try await blocking.run { () throws(SourceError) in
      try CaptureOutput(path: path, reading: input, replacing: replacing, blocking)
    }
  }

  private init(
    path: String, reading input: String?, replacing: Bool, _ blocking: Blocking
  ) throws(SourceError) {
    self.blocking = blocking
    self.path = path == "-" ? "standard output" : path
    guard path != "-" else {
      descriptor = STDOUT_FILENO
      isRegular = false
      isNew = false
      return
    }
    if let input, CaptureOutput.isSame(path, input) {
      throw SourceError(
        .invalid, "\(path) is the file that is being read", remedy: "write to another file")
    }
    do throws(FileOutputError) {
      descriptor = try FileOutput.open(path, replacing: replacing)
    } catch {
      throw CaptureOutput.error(error)
    }
    var status = stat()
    isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    isNew = isRegular && !replacing
    // Two recordings in one file would be none. Where a file system has no locks there is no way to tell.
    guard isRegular, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    Glibc.close(descriptor)
    descriptor = -1
    throw SourceError(
      .busy, "another program records into \(path)", remedy: "end it, or write to another file")
  }

  deinit { if descriptor > STDOUT_FILENO { Glibc.close(descriptor) } }

  /// What an error means for a recording.
  static func error(_ error: FileOutputError) -> SourceError {
    let kind: SourceError.Kind =
      switch error.kind {
      case .exists: .invalid
      case .denied: .noPermission
      case .noDirectory, .full, .failed: .lost
      }
    return SourceError(kind, error.reason, remedy: error.remedy)
  }

  /// Writes what the file begins with: at once, or when the first piece takes the place of an older
  /// recording.
  func begin(with header: [UInt8]) throws(SourceError) {
    var status = stat()
    if isRegular, fstat(descriptor, &status) == 0, status.st_size > 0 {
      self.header = header
    } else {
      do throws(SourceError) {
        try write(header)
      } catch {
        // A disk that is full has room for a name, and for nothing in it.
        if isNew { unlink(path) }
        throw error
      }
    }
  }

  /// Writes a piece.
  func write(_ bytes: [UInt8]) throws(SourceError) {
    guard !bytes.isEmpty else { return }
    if let header {
      guard ftruncate(descriptor, 0) == 0 else { throw failure(errno) }
      self.header = nil
      try write(header)
    }
    try checkWhole()
    let code = FileOutput.put(bytes, descriptor)
    guard code == 0 else {
      // Half a record at the end would make the file look damaged.
      if isRegular { _ = ftruncate(descriptor, complete) }
      throw failure(code)
    }
    complete += bytes.count
  }

  /// Where somebody has cut the file, a hole would stand for what is missing, the header with it.
  private func checkWhole() throws(SourceError) {
    var status = stat()
    guard isRegular, fstat(descriptor, &status) == 0, status.st_size < complete else { return }
    throw SourceError(
      .lost, "\(path) was cut while it was recorded into", remedy: "record into another file")
  }

  /// Deletes the oldest of several files, where a disk may be slow.
  func removeOldest(_ names: RotatedNames, keeping kept: Int, sparing spared: [String]) {
    names.removeOldest(keeping: kept, sparing: spared)
  }

  /// Closes the file.
  func close() throws(SourceError) {
    guard descriptor > STDOUT_FILENO else { return }
    let result = Glibc.close(descriptor)
    let code = errno
    descriptor = -1
    guard result == 0 else { throw failure(code) }
  }

  private func failure(_ code: Int32) -> SourceError {
    let isFull = FileOutputError(code, path: path).kind == .full
    let remedy: Remedy? =
      switch (isFull, isRegular) {
      case (true, true): "free some space; what was written before that is complete"
      case (true, false): "free some space, or write elsewhere"
      case (false, true): "what was written before that is complete"
      case (false, false): nil
      }
    return SourceError(
      .lost, "writing \(path) failed: \(String(cString: strerror(code)))", remedy: remedy)
  }

  static func isSame(_ one: String, _ other: String) -> Bool {
    var left = stat()
    var right = stat()
    return stat(one, &left) == 0 && stat(other, &right) == 0 && left.st_dev == right.st_dev
      && left.st_ino == right.st_ino
  }
}
