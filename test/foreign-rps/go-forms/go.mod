module go-forms

go 1.19
