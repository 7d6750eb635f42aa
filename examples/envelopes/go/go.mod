module example.com/baton-envelopes

go 1.19
