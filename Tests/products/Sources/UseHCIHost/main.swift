import HCIHost

print(H4Address("tcp:127.0.0.1:9000") as Any)
