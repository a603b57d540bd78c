import Diagnosis
import Glibc
package import LunaCore
package import LunaCrypto
import Synchronization

extension StateDirectory {
  /// Threads would write into one file while it is being made: it is named after their process.
  private static let making = Mutex(())

  /// A random secret in a file of its own, which only its owner reads. It is made when it is asked for the
  /// first time; of several processes or threads that ask at once, all get the same.
  package func secret(_ fileName: String, count: Int) throws(DeviceStoreError) -> SecretBytes {
    let file = "\(path)/\(fileName)"
    if let secret = try read(file, count) { return secret }
    try create(for: fileName)
    try StateDirectory.making.withLock { _ throws(DeviceStoreError) in try make(file, count) }
    guard let secret = try read(file, count) else { throw .system("open", file, ENOENT) }
    return secret
  }

  private func read(_ file: String, _ count: Int) throws(DeviceStoreError) -> SecretBytes? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system("open", file, errno)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count + 1)
    defer { wipe(&bytes) }
    let got = Glibc.read(descriptor, &bytes, bytes.count)
    guard got == count else {
      throw DeviceStoreError(
        .damaged, "\(file) is not what this program wrote", remedy: "move it away")
    }
    return SecretBytes(copying: bytes.span.extracting(0..<count))
  }

  /// Makes the file: whole, or not at all.
  private func make(_ file: String, _ count: Int) throws(DeviceStoreError) {
    let new = "\(file).\(getpid())"
    var bytes: [UInt8]
    do throws(CryptoError) {
      let secret = try SecureRandom.secret(count: count)
      bytes = secret.withBytes { span in span.indices.map { span[$0] } }
    } catch {
      throw DeviceStoreError(.failed, "\(error)")
    }
    defer { wipe(&bytes) }
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system("make", new, errno) }
    defer { unlink(new) }
    let isWritten = write(descriptor, bytes, count) == count && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    guard isWritten else { throw .system("write", new, code) }
    guard link(new, file) == 0 || errno == EEXIST else { throw .system("make", file, errno) }
  }
}
