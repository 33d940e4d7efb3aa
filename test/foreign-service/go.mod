module foreign-service

go 1.19
