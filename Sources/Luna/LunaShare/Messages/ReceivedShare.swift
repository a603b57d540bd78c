public import LunaCrypto
public import LunaProtocol

/// A share of somebody else.
public enum ReceivedShare {
  /// The uuid of the device that it becomes. It follows from who sent it: nobody can put a share in the
  /// place of a device of one's own, or of another's share.
  public static func device(
    sender: ContactKey, share: DeviceUUID
  ) throws(CryptoError) -> DeviceUUID {
    var input = Array("luna/share/device".utf8) + sender.bytes
    for index in share.bytes.indices { input.append(share.bytes[index]) }
    let digest = try SHA256.digest(of: input.span)
    return DeviceUUID(random: InlineArray { digest[$0] })
  }
}
