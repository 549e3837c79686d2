#pragma once
using namespace cl_bf16;
