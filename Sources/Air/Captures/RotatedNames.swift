import Bluetooth
import Diagnosis
import FileOutput
import Glibc

/// The names of the files of one recording: `air.btsnoop` stands for `air-20261123T150000Z.btsnoop`, which
/// began then, and `air-20261123T150000Z-2.btsnoop` where there was one.
struct RotatedNames: Sendable {
  /// As many files of one second are more than anybody writes.
  private static let most = 9999

  private let directory: String
  private let stem: String
  private let ending: String

  /// - Throws: ``Bluetooth/SourceError`` where files of such names cannot be made.
  init(_ path: String) throws(SourceError) {
    var status = stat()
    if path == "-" || stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG {
      throw SourceError(
        .invalid, "\(path) is no ordinary file: it cannot go on in a new one",
        remedy: "write to a file, as in air.btsnoop")
    }
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
    directory = name.map { String(path[..<$0]) } ?? ""
    let file = String(path[(name ?? path.startIndex)...])
    let point = file.utf8.lastIndex(of: UInt8(ascii: ".")) ?? file.endIndex
    stem = String(file[..<point])
    ending = String(file[point...])
    guard access(directory.isEmpty ? "." : directory, W_OK | X_OK) == 0 else {
      throw CaptureOutput.error(FileOutputError(errno, path: path))
    }
  }

  /// Opens a new file that begins at a time.
  ///
  /// - Returns: the file and its path.
  func open(at time: Timestamp) async throws(SourceError) -> (file: CaptureOutput, path: String) {
    let beginning = "\(directory)\(stem)-\(RotatedNames.stamp(time))"
    for number in 1...RotatedNames.most {
      let path = number == 1 ? "\(beginning)\(ending)" : "\(beginning)-\(number)\(ending)"
      do throws(SourceError) {
        return (try await CaptureOutput.open(path: path, reading: nil, replacing: false), path)
      } catch {
        guard error.kind == .invalid else { throw error }
      }
    }
    throw SourceError(.lost, "there are too many files named \(beginning)")
  }

  /// Deletes the oldest ordinary files with such names until `kept` are left. One that cannot be deleted
  /// stays.
  ///
  /// - Parameter spared: paths of files that stay in any case; the first counts as one of those that are left.
  func removeOldest(keeping kept: Int, sparing spared: [String]) {
    let place = directory.isEmpty ? "." : directory
    var found: [(key: Key, path: String)] = []
    for name in Directory.names(in: place) ?? [] {
      guard let key = key(of: name) else { continue }
      let path = directory + name
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        !spared.contains(where: { CaptureOutput.isSame(path, $0) })
      else { continue }
      found.append((key, path))
    }
    let surplus = found.count - max(0, kept - 1)
    guard surplus > 0 else { return }
    for file in found.sorted(by: { $0.key < $1.key }).prefix(surplus) { unlink(file.path) }
  }

  /// Where a file stands among the others: when it began, and its number in that second.
  private struct Key: Comparable {
    let stamp: String
    let number: Int

    static func < (left: Key, right: Key) -> Bool {
      (left.stamp, left.number) < (right.stamp, right.number)
    }
  }

  /// What the name of a file says; nil where it is not exactly such a name.
  private func key(of name: String) -> Key? {
    guard name.hasPrefix(stem + "-"), name.hasSuffix(ending),
      name.utf8.count > stem.utf8.count + 1 + ending.utf8.count
    else { return nil }
    let middle = name.dropFirst(stem.count + 1).dropLast(ending.count)
    let parts = middle.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 2, let stamp = parts.first, RotatedNames.isStamp(stamp) else { return nil }
    guard parts.count == 2 else { return Key(stamp: String(stamp), number: 1) }
    guard let number = Int(parts[1]), number > 1, number <= RotatedNames.most,
      String(number) == parts[1]
    else { return nil }
    return Key(stamp: String(stamp), number: number)
  }

  /// `20261123T150000Z`
  private static func stamp(_ time: Timestamp) -> String {
    var seconds = time_t(time.microseconds / 1_000_000)
    var fields = tm()
    gmtime_r(&seconds, &fields)
    func text(_ number: Int32, _ width: Int) -> String {
      let digits = String(max(0, number))
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    return text(fields.tm_year + 1900, 4) + text(fields.tm_mon + 1, 2) + text(fields.tm_mday, 2)
      + "T" + text(fields.tm_hour, 2) + text(fields.tm_min, 2) + text(fields.tm_sec, 2) + "Z"
  }

  private static func isStamp(_ text: Substring) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 16
      && bytes.indices.allSatisfy { index in
        switch index {
        case 8: bytes[index] == UInt8(ascii: "T")
        case 15: bytes[index] == UInt8(ascii: "Z")
        default: (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= bytes[index]
        }
      }
  }
}
