import LunaDoctor

for await finding in Doctor().findings(of: [.disk, .clock]) { print(finding.check, finding.cause) }
