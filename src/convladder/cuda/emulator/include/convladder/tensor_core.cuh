#pragma once
using namespace cl_tensor_core;
