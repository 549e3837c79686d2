#pragma once
using namespace cl_fp16;
