#pragma once
using namespace cl_pipeline;
