import LunaClient
import LunaCrypto
import LunaHome
import LunaJSON
import SafeText

// What each kind of channel is asked.

extension Parcel {
  /// A message of ntfy, as JSON: it holds every character.
  static func ntfy(
    _ letter: Letter, _ channel: NotificationChannel, _ contact: NotificationSettings.Contact?,
    _ transcript: Transcript?
  ) throws(Problem) -> Parcel {
    let priority: Int64 =
      switch letter.level {
      case .info: 3
      case .warn: 4
      case .alarm: 5
      }
    var object: JSONObject = [
      "topic": .string(contact?.ntfy ?? channel.topic), "title": .string(letter.title),
      "message": .string(letter.text), "priority": .integer(priority),
    ]
    if !letter.link.isEmpty { object.append("click", .string(letter.link)) }
    var parcel = try Parcel(
      letter, to: channel.url, method: "POST", headers: channel.headers, template: nil,
      standard: .object(object), transcript
    ) { _ in nil }
    if let token = channel.token {
      let secret = try Parcel.secret(token)
      transcript?.hide(secret)
      parcel.secrets.append(secret.line(after: "Authorization: Bearer "))
    }
    return parcel
  }

  static func webhook(
    _ letter: Letter, _ channel: NotificationChannel, _ settings: NotificationSettings,
    at now: Int64, _ transcript: Transcript?
  ) throws(Problem) -> Parcel {
    var parcel = try Parcel(
      letter, to: channel.url, method: channel.method, headers: channel.headers,
      template: channel.body, standard: letter.json, transcript
    ) { letter.messages.first?.value(of: $0, settings) }
    if let reference = channel.secret {
      let secret = try Parcel.secret(reference)
      transcript?.hide(secret)
      try parcel.sign(with: secret, at: now / 1_000_000)
    }
    return parcel
  }

  /// A text message of at most 160 characters, through somebody's gateway.
  static func sms(
    _ letter: Letter, _ channel: NotificationChannel, _ contact: NotificationSettings.Contact?,
    _ settings: NotificationSettings, _ transcript: Transcript?
  ) throws(Problem) -> Parcel {
    let phone = contact?.phone ?? ""
    let line = letter.text.replacing(text: "\n", with: " ")
    let scalars = line.unicodeScalars
    let text = scalars.count <= 160 ? line : String(scalars.prefix(159)) + "…"
    let value: (String) -> String? = { name in
      switch name {
      case "message": text
      case "phone": phone
      default: letter.messages.first?.value(of: name, settings)
      }
    }
    return try Parcel(
      letter, to: MessageTemplate(channel.url).filled(for: .url, value), method: channel.method,
      headers: channel.headers, template: channel.body,
      standard: ["to": .string(phone), "message": .string(text)], usual: .form, transcript,
      value: value)
  }

  /// A message that only a browser can read; its push service learns when and how urgent.
  static func push(
    _ letter: Letter, _ browser: PushTable.Row, _ identity: PushIdentity,
    _ settings: NotificationSettings, at now: Int64, _ transcript: Transcript?
  ) throws(CryptoError) -> Parcel {
    let to = browser.subscription
    // Whoever has the address can tell the browser something.
    transcript?.hide(SecretBytes(copying: Array(to.path.utf8).span))
    let subject = settings.link.flatMap { $0.hasPrefix("https://") ? $0 : nil }
    var salt: InlineArray<16, UInt8> = try SecureRandom.bytes()
    defer { wipe(&salt) }
    let token = try identity.authorization(for: to.origin, subject: subject, at: now / 1_000_000)
    return Parcel(
      url: to.endpoint,
      headers: [
        HTTPField("TTL", "86400"), HTTPField("Urgency", letter.level == .info ? "normal" : "high"),
        HTTPField("Content-Type", "application/octet-stream"),
        HTTPField("Content-Encoding", "aes128gcm"), HTTPField("Authorization", token),
      ],
      body: try WebPush.seal(
        letter.pushed(within: WebPush.longest), for: to, sender: try P256PrivateKey(),
        salt: salt.indices.map { salt[$0] }))
  }

  /// What a rule asks of a server.
  static func action(
    _ letter: Letter, _ request: JSONValue, _ settings: NotificationSettings,
    _ transcript: Transcript?
  ) throws(Problem) -> Parcel {
    guard case .object(let object) = request, let message = letter.messages.first else {
      throw Problem("the request cannot be read any more")
    }
    func text(_ name: String) -> String? {
      if case .string(let text)? = object[name] { text } else { nil }
    }
    return try Parcel(
      letter, to: text("url") ?? "", method: text("method") ?? "POST",
      headers: HeaderSetting.list((object["headers"] ?? .null).bytes), template: text("body"),
      standard: Letter.json(message), transcript
    ) { message.value(of: $0, settings) }
  }
}
